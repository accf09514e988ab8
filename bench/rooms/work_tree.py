"""Changes the work tree for the programs of this folder: writes, formats, and checks what follows from it."""

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import rewrite
from rewrite import ROOT, Package


def file_of(module: str) -> Path:
    return ROOT.joinpath("src", *module.split(".")).with_suffix(".py")


def test_of(module: str) -> Path:
    *rooms, last = module.split(".")[1:]
    return ROOT.joinpath("tests/unit", *rooms, f"test_{last}.py")


def write(texts: dict[Path, str]) -> Iterable[Path]:
    for file, text in texts.items():
        file.write_text(text, "utf-8")
        yield file


def clean(written: list[Path], package: Package) -> None:
    """Formats what was written, and removes packages in which nothing is left."""
    for module, file in package.modules.items():
        others = [one for one in file.parent.rglob("*") if one.is_file() and "__pycache__" not in one.parts]
        if (
            file.name == "__init__.py"
            and others == [file]
            and any(one.startswith(f"{module}.") for one in package.modules)
        ):
            file.unlink()
    python = [str(file) for file in written if file.suffix == ".py" and file.exists()]
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    for words in (["check", "--quiet", "--fix", "--select", "I,F401,F811"], ["format", "--quiet"]):
        subprocess.run([*ruff, *words, *python], cwd=ROOT, check=False)


def finish() -> list[str]:
    """Stages everything, and looks for cycles; `make lint` says whether imports still point down."""
    stage()
    return _cycles()


def stage() -> None:
    rewrite.git("add", "-u")
    rewrite.git("add", "src", "tests")


def _cycles() -> list[str]:
    sys.path.insert(0, str(ROOT / "bench"))
    from house import House

    with tempfile.TemporaryDirectory() as folder:
        old = House(rewrite.unpacked("HEAD", Path(folder)) / "src" / "cairn")
        new = House(ROOT / "src" / "cairn")
        known = [set(cycle) for cycle in old.cycles(reach="functions")]
        for cycle in new.cycles(reach="functions"):
            if set(cycle) not in known:
                print(f"a cycle, with imports in functions: {', '.join(cycle)}")
        return [f"a cycle: {', '.join(cycle)}" for cycle in new.cycles(reach="module")]
