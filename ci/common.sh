# Sourced by the scripts here: the top folder, a Python, and virtual environments that are made once a run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PYTHON=${PYTHON:-python3}
export PIP_DISABLE_PIP_VERSION_CHECK=1

# install_package EXTRA: with the wheel of ci/build if the gate has made one, else built anew.
install_package() {
    if [ -n "${HALMA_FAST_WHEEL:-}" ]; then
        pip install -q "$HALMA_FAST_WHEEL[$1]"
    else
        pip install -q ".[$1]"
    fi
}

# fresh_venv NAME: makes build/venv/NAME anew and puts it first on the PATH.
fresh_venv() {
    local folder="build/venv/$1"
    rm -rf "$folder"
    "$PYTHON" -m venv "$folder"
    PATH="$PWD/$folder/bin:$PATH"
    hash -r
}
