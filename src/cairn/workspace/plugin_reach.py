"""What a Python text would do to the world: write files, start programs, open connections, or hide what it does.

An extension returns data and does none of these. Reading the syntax tree proves nothing about code that wants to
deceive, but it names what is there to be seen, without running any of it.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cairn.lib.code.python import parse_python

WRITES, SPAWNS, CONNECTS, HIDES, UNREADABLE = "writes", "spawns", "connects", "hides", "unreadable"


class Reach(NamedTuple):
    line: int
    what: str
    """`writes`, `spawns`, `connects`, `hides` or `unreadable`."""
    how: str


def _table(groups: Mapping[str, str]) -> dict[str, str]:
    return {name: what for what, names in groups.items() for name in names.split()}


_MODULES = _table(
    {
        WRITES: "tempfile sqlite3 dbm shelve",
        SPAWNS: "subprocess multiprocessing pty webbrowser",
        CONNECTS: "socket socketserver ssl http.client http.server urllib.request ftplib smtplib poplib imaplib "
        "nntplib telnetlib xmlrpc requests httpx aiohttp urllib3 websocket websockets paramiko grpc boto3 psycopg "
        "psycopg2 redis pymongo",
        HIDES: "ctypes cffi marshal runpy code",
    }
)
"""Importing one of these, or anything below it, is enough to be named."""

_NAMES = _table(
    {
        WRITES: "os.open os.write os.remove os.unlink os.rename os.renames os.replace os.mkdir os.makedirs os.rmdir "
        "os.removedirs os.symlink os.link os.truncate os.ftruncate os.chmod os.chown os.lchown os.utime os.mkfifo "
        "os.mknod shutil.copy shutil.copy2 shutil.copyfile shutil.copyfileobj shutil.copymode shutil.copystat "
        "shutil.copytree shutil.rmtree shutil.move shutil.chown shutil.make_archive shutil.unpack_archive",
        SPAWNS: "os.system os.popen os.fork os.forkpty os.posix_spawn os.posix_spawnp os.kill os.killpg os.execl "
        "os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl os.spawnle os.spawnlp "
        "os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe asyncio.create_subprocess_exec "
        "asyncio.create_subprocess_shell concurrent.futures.ProcessPoolExecutor",
        CONNECTS: "asyncio.open_connection asyncio.start_server asyncio.open_unix_connection asyncio.start_unix_server",
        HIDES: "importlib.import_module importlib.__import__ importlib.util.spec_from_file_location pickle.load "
        "pickle.loads pickle.Unpickler",
    }
)
_BUILT_INS = _table({HIDES: "exec eval compile __import__ globals"})
_METHODS = _table(
    {
        WRITES: "write_text write_bytes unlink rmdir mkdir touch symlink_to hardlink_to chmod",
        CONNECTS: "create_connection create_server",
    }
)
_OPENERS = ("open", "io.open", "codecs.open")


def reaches(source: bytes) -> list[Reach]:
    """In the order of lines, each thing once a line."""
    try:
        tree = parse_python(source)
    except SyntaxError as error:
        return [Reach(error.lineno or 1, UNREADABLE, f"is not valid Python: {error.msg}")]
    except (ValueError, RecursionError, MemoryError) as error:
        return [Reach(1, UNREADABLE, f"cannot be parsed: {type(error).__name__}")]
    aliases = _aliases(tree)
    return sorted({reach for node in ast.walk(tree) for reach in _of(node, aliases)})


def imported(source: bytes, module: str, *, package: bool) -> set[str]:
    """Dotted names that a module imports, and that may be modules themselves; relative ones made absolute."""
    try:
        tree = parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    home = module.split(".") if package else module.split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(
                [*home[: len(home) - node.level + 1], node.module or ""] if node.level else [node.module or ""]
            )
            found |= {base.strip("."), *(f"{base.strip('.')}.{name.name}" for name in node.names)}
    return found


def _aliases(tree: ast.AST) -> dict[str, str]:
    """Local name -> what it stands for."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                known[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and not node.level:
            known |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    return known


def _of(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[Reach]:
    if isinstance(node, ast.Import):
        yield from (r for name in node.names if (r := _import(node.lineno, name.name)))
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield from (r for name in node.names if (r := _import(node.lineno, f"{node.module}.{name.name}")))
    elif isinstance(node, ast.Attribute):
        dotted = _dotted(node, aliases)
        if dotted in _NAMES:
            yield Reach(node.lineno, _NAMES[dotted], f"uses {dotted}")
    elif isinstance(node, ast.Call):
        yield from _call(node, aliases)


def _import(line: int, name: str) -> Reach | None:
    if name in _NAMES:
        return Reach(line, _NAMES[name], f"imports {name}")
    for module, what in _MODULES.items():
        if name == module or name.startswith(f"{module}."):
            return Reach(line, what, f"imports {module}")
    return None


def _call(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[Reach]:
    name = _dotted(node.func, aliases)
    if name in _BUILT_INS:
        yield Reach(node.lineno, _BUILT_INS[name], f"calls {name}()")
    elif name == "getattr" and node.args and isinstance(node.args[0], ast.Name) and node.args[0].id in aliases:
        yield Reach(node.lineno, HIDES, f"calls getattr() on {aliases[node.args[0].id]}")
    elif name in _OPENERS:
        yield from _opening(node, 1)
    elif isinstance(node.func, ast.Attribute) and name not in _NAMES:
        method = node.func.attr
        if method in _METHODS:
            yield Reach(node.lineno, _METHODS[method], f"calls .{method}()")
        elif method == "open":
            yield from _opening(node, 0)


def _opening(node: ast.Call, place: int) -> Iterator[Reach]:
    """A file opened to be written; a mode that is made at run time counts too."""
    given = [keyword.value for keyword in node.keywords if keyword.arg == "mode"] or node.args[place : place + 1]
    if not given:
        return
    mode = given[0].value if isinstance(given[0], ast.Constant) else None
    if mode is None and place == 0:
        return  # the first argument of some other method
    if mode is None or (isinstance(mode, str) and set(mode) <= set("rwxabt+U") and set(mode) & set("wxa+")):
        yield Reach(node.lineno, WRITES, "opens a file for writing")


def _dotted(node: ast.AST, aliases: Mapping[str, str]) -> str:
    """`o.path.join` with `import os as o` is `os.path.join`; empty when it starts with something else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([aliases.get(node.id, node.id), *reversed(parts)])
