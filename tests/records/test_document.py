"""The format's description is true: its example is a record, and it names the reasons that are checked."""

from __future__ import annotations

import io
import re
from pathlib import Path

from halma_fast.records import read_records, write_record
from halma_fast.types import Reason

TEXT = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def test_the_example_is_what_is_written_for_it() -> None:
    (example,) = re.findall(r"```\n(.*?)```", TEXT, re.DOTALL)
    (record,) = read_records(io.StringIO(example))
    out = io.StringIO()
    write_record(out, record)
    assert out.getvalue() == f"{example}\n"


def test_every_reason_of_the_rules_is_named() -> None:
    for reason in Reason:
        assert f"`{reason.value}`" in TEXT.replace("\n  ", " ")
