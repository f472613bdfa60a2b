"""`halma-fast info`: what is installed and which kernel runs. Guarded by tests/cli/test_info.py."""

from __future__ import annotations

import platform

import click
import numpy

from halma_fast import VARIANTS, __version__
from halma_fast._kernel.dispatch import kernel_info
from halma_fast.cli.options import json_option
from halma_fast.cli.output import print_fields, print_json

__all__ = ["info"]


@click.command()
@json_option
def info(as_json: bool) -> None:
    """Tell versions and the kernel in use.

    The kernel is built for several levels of a processor's instructions; this tells which one runs here and why.
    """
    kernel = kernel_info()
    if as_json:
        print_json(
            {
                "version": __version__,
                "python": platform.python_version(),
                "numpy": numpy.__version__,
                "platform": platform.platform(),
                "machine": platform.machine(),
                "kernel": kernel,
                "variants": list(VARIANTS),
            }
        )
        return
    print_fields(
        [
            ("halma-fast", __version__),
            ("python", f"{platform.python_implementation()} {platform.python_version()}"),
            ("numpy", numpy.__version__),
            ("platform", platform.platform()),
            ("kernel", f"{kernel['level']} ({kernel['reason']})"),
            ("kernels", " ".join(kernel["available"])),
            ("variants", " ".join(VARIANTS)),
        ]
    )
