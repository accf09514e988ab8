"""The base install stays small, and has everything in it that the program needs."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MOST_DISTRIBUTIONS = 20
MOST_BYTES = 30 * 1024 * 1024
TOOLS = ("pip", "setuptools", "wheel", "_distutils_hack", "distutils-precedence", "pkg_resources")


def run(*command: str, cwd: Path, **env: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CAIRN_", "PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, env={**kept, **env}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


def test_the_base_install(tmp_path: Path):
    """One test, so that the environment is built once, whoever runs it."""
    base = base_environment(tmp_path)
    is_small(base)
    has_all_it_needs(base, tmp_path / "project")
    is_typed_and_brings_no_tests(base)


def base_environment(place: Path) -> Path:
    """What `pip install cairn-kb` brings, by the lock file, and the project's own wheel."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place), cwd=ROOT)
    (wheel,) = place.glob("*.whl")
    run(sys.executable, "-m", "venv", "env", cwd=place)
    pip = (str(place / "env/bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
    run(*pip, "--require-hashes", "-r", str(ROOT / "requirements/base.txt"), cwd=place)
    run(*pip, str(wheel), cwd=place)
    return place / "env"


def own(path: Path, site: Path) -> bool:
    return not path.relative_to(site).parts[0].startswith(TOOLS) and "__pycache__" not in path.parts


def is_small(base: Path):
    (site,) = base.glob("lib/python*/site-packages")
    found = [path.name for path in site.glob("*.dist-info") if own(path, site)]
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file() and own(path, site))
    assert any(name.startswith("cairn_kb-") for name in found)
    assert len(found) <= MOST_DISTRIBUTIONS, sorted(found)
    assert size <= MOST_BYTES, f"{size:,} bytes"


def has_all_it_needs(base: Path, project: Path):
    """SQL, schemas, pages: whatever is no Python has to be packed too."""
    program = str(base / "bin/cairn")
    (project / ".claude/agents").mkdir(parents=True)
    (project / ".claude/agents/a.md").write_text("---\nname: a\ndescription: d\nmodel: x\n---\n[b](../../b.md)\n")
    (project / "b.md").write_text("# B\n")
    assert "init" in run(program, "--help", cwd=project)
    run(program, "init", cwd=project)
    assert "No problems found" in run(program, "check", cwd=project)
    assert "<html" in run(program, "graph", "--format", "html", cwd=project)


def is_typed_and_brings_no_tests(base: Path):
    (package,) = base.glob("lib/python*/site-packages/cairn")
    assert (package / "py.typed").exists()
    assert not any(base.glob("lib/python*/site-packages/tests"))
