"""The bench for labelled sets counts what it says it counts."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROWS = [
    {"text": "mail jane.doe@bakery.net", "class": "email", "language": "en", "spans": [[5, 24]]},
    {"text": "my cat is called Tom", "class": "name", "language": "en", "spans": [[17, 20]]},
    {"text": "write to joe.roe@bakery.net", "class": "negative:mail", "language": "de", "spans": []},
]


def test_recall_precision_and_hits_in_ordinary_text(tmp_path: Path) -> None:
    place = tmp_path / "set.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "a.md").write_text("# A page\n" + "words " * 2_000 + "\nask ann.lee@bakery.net\n")
    command = [sys.executable, str(ROOT / "bench/scrub_set.py"), str(place), str(tmp_path / "clone")]
    out = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert "recall            0.500 (1 of 2 spans)" in out
    assert "precision         0.500 (1 false of 2)" in out
    assert "jane.doe" not in out and "ann.lee" not in out, "samples are printed with --misses only"
    line = next(line for line in out.splitlines() if line.startswith("clone"))
    assert line.split()[2:4] == ["1", "1"]
