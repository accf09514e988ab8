"""What the syntax tree of an extension gives away."""

import sys

import pytest

from cairn.workspace.plugin_reach import imported, reaches

NAMED = [
    ("import subprocess", "spawns", "imports subprocess"),
    ("import subprocess as s", "spawns", "imports subprocess"),
    ("from subprocess import run", "spawns", "imports subprocess"),
    ("import urllib.request", "connects", "imports urllib.request"),
    ("from urllib import request", "connects", "imports urllib.request"),
    ("import http.client as h", "connects", "imports http.client"),
    ("def f():\n    import socket", "connects", "imports socket"),
    ("import tempfile", "writes", "imports tempfile"),
    ("import os\nos.remove('x')", "writes", "uses os.remove"),
    ("import os as o\no.system('x')", "spawns", "uses os.system"),
    ("import os\nrun = os.system", "spawns", "uses os.system"),
    ("from os import system as s", "spawns", "imports os.system"),
    ("import shutil\nshutil.rmtree('x')", "writes", "uses shutil.rmtree"),
    ("open('x', 'w')", "writes", "opens a file for writing"),
    ("open('x', mode='ab')", "writes", "opens a file for writing"),
    ("open('x', mode)", "writes", "opens a file for writing"),
    ("path.open('r+')", "writes", "opens a file for writing"),
    ("path.write_text('x')", "writes", "calls .write_text()"),
    ("import asyncio\nasyncio.open_connection('h', 1)", "connects", "uses asyncio.open_connection"),
    ("exec('x')", "hides", "calls exec()"),
    ("__import__('os')", "hides", "calls __import__()"),
    ("import os\ngetattr(os, 'sys' + 'tem')('x')", "hides", "calls getattr() on os"),
    ("import importlib\nimportlib.import_module('os')", "hides", "uses importlib.import_module"),
    ("import ctypes", "hides", "imports ctypes"),
]


@pytest.mark.parametrize(("text", "what", "how"), NAMED)
def test_what_is_named(text, what, how):
    found = reaches(text.encode())
    assert (what, how) in [(reach.what, reach.how) for reach in found]
    assert all(1 <= reach.line <= text.count("\n") + 1 for reach in found)


@pytest.mark.parametrize(
    "text",
    [
        "import os\nos.path.join('a', 'b')\nos.environ.get('X')",
        "import re, json, hashlib\nfrom urllib.parse import quote",
        "import shutil\nshutil.which('git')",
        "open('x')\nopen('x', 'rb')\nopen('x', encoding='utf-8')",
        "path.open()\npath.open('r')\nbook.open('data')\nbook.open(page)",
        "text.replace('a', 'b')\nframe.rename(columns={})",
        "from .socket import thing\nfrom . import subprocess",
        "def system(): ...\nsystem()",
        "getattr(ctx, 'name')",
        "'import subprocess'  # os.system",
        "",
    ],
)
def test_what_is_harmless(text):
    assert reaches(text.encode()) == []


@pytest.mark.parametrize("source", [b"def (:", b"a = '\x00'", b"(" * 100_000, b"\xff\xfe", b"-" * 200_000 + b"1"])
def test_what_cannot_be_read_is_said(source):
    limit = sys.getrecursionlimit()
    [found] = reaches(source)
    assert found.what == "unreadable"
    assert imported(source, "a.b", package=False) == set()
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize(
    ("text", "package", "names"),
    [
        ("import a.x, json", False, {"a.x", "json"}),
        ("from a.x import y", False, {"a.x", "a.x.y"}),
        ("from . import y", False, {"a.b", "a.b.y"}),
        ("from . import y", True, {"a.b.c", "a.b.c.y"}),
        ("from ..z import y", False, {"a.z", "a.z.y"}),
        ("def f():\n    from .q import r", True, {"a.b.c.q", "a.b.c.q.r"}),
    ],
)
def test_imports_made_absolute(text, package, names):
    assert imported(text.encode(), "a.b.c", package=package) == names
