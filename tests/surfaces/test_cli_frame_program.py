"""The real program, started as a person or a script would."""

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest

from program import cairn, clean_env, command_line, fits_schema
from warm import can_be_warm

WITH_COMMAND = """
import sys, types
import cairn.cli.main as main
from cairn.cli.boundary import run
from cairn.cli.define import define
from cairn.cli.table import CommandRow

def function(ctx):
    {body}
    return 0

module = types.ModuleType("cairn.cli.commands.try_it")
module.command = define("try-it", help="Tries.", examples=())(function)
sys.modules[module.__name__] = module
main.COMMANDS = (*main.COMMANDS, CommandRow("try-it", "start", "try_it", "Tries."))
sys.exit(run(sys.argv[1:]))
"""


def with_command(body, *args):
    """The program with one more command, whose body is given."""
    return [sys.executable, "-c", WITH_COMMAND.format(body=body), "try-it", *args]


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("conifg",), 2, r"unknown command 'cairn conifg'; did you mean 'config'\?"),
        (("config", "lsit"), 2, r"unknown command 'cairn config lsit'; did you mean 'list'\?"),
        (("zzzz",), 2, r"unknown command 'cairn zzzz'; `cairn help --all`"),
        (("-g",), 2, r"[Uu]nknown option '-g'"),
        (("--global",), 2, r"[Uu]nknown option '--global'"),
        (("config", "list", "-g"), 2, r"[Uu]nknown option '-g'"),
        (("config", "list", "--global"), 2, r"[Uu]nknown option '--global'"),
        (("version", "--jsn"), 2, r"unknown option '--jsn' of `cairn version`; did you mean '--json'\?"),
        (("config",), 2, r"needs one of list"),
        (("logs",), 2, r"write `cairn logs prune`"),
        (("config", "get"), 2, r"needs KEY; `cairn config get --help`"),
        (("version", "extra"), 2, r"extra"),
        (("completion", "powershell"), 2, r"powershell"),
        (("--db",), 2, r"--db"),
        (("help", "nope"), 5, r"there is no command 'nope'"),
        (("help", "config", "gte"), 5, r"did you mean 'config get'"),
        (("-C", "no-such-folder", "config", "list"), 2, r"no folder no-such-folder"),
        (("config", "list"), 2, r"run `cairn init`"),
    ],
)
def test_bad_usage_is_one_sentence(tmp_path, args, code, sentence):
    ran = cairn(*args, cwd=tmp_path)
    assert ran.code == code
    assert ran.out == ""
    assert re.search(sentence, ran.err), ran.err
    assert ran.err.count("\n") == 1
    as_json = cairn(*args[:-1], "--json", args[-1], cwd=tmp_path)
    assert as_json.code == code
    fits_schema(as_json.json(), "error")


def test_help_is_the_same_page_however_it_is_asked_for(tmp_path):
    pages = [cairn(*args, cwd=tmp_path) for args in (("--help",), ("-h",), ("help",), ("-q", "--help"))]
    assert {ran.code for ran in pages} == {0}
    assert len({ran.out for ran in pages}) == 1
    assert {ran.err for ran in pages} == {""}


def test_help_lists_the_eight_commands_that_most_people_need(tmp_path):
    page = cairn("--help", cwd=tmp_path).out
    listed = page.partition("Commands:\n")[2].partition("\n\n")[0]
    names = [line.split()[0] for line in listed.splitlines()]
    assert names == ["try", "init", "check", "search", "status", "graph", "agent", "uninstall"]
    assert "`cairn help --all` lists all commands." in page


def test_help_all_lists_every_command_once_and_no_alias(tmp_path):
    ran = cairn("help", "--all", cwd=tmp_path)
    listed = re.findall(r"^  ([a-z-]+)  ", ran.out, re.M)
    known = [entry["name"] for entry in cairn("help", "--json", cwd=tmp_path).json()["commands"]]
    assert (ran.code, ran.err) == (0, "")
    assert sorted(listed) == sorted(set(known) - {"logs", "knowledge", "node"})
    assert "Another name" not in ran.out


@pytest.mark.parametrize("alias", ["logs prune", "knowledge note", "node add"])
def test_aliases_still_work(tmp_path, alias):
    assert cairn(*alias.split(), "--help", cwd=tmp_path).code == 0


def test_help_all_and_a_command_contradict(tmp_path):
    ran = cairn("help", "--all", "check", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "--all lists all commands" in ran.err


def test_alone_it_shows_the_page_and_fails(tmp_path):
    ran = cairn(cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == cairn("--help", cwd=tmp_path).out


def test_the_help_page_imports_neither_click_nor_a_command(tmp_path):
    code = (
        "import sys; from cairn.cli.boundary import run; run(['--help']);"
        "print([m for m in sys.modules if m == 'click' or m.startswith('cairn.cli.commands')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=clean_env(), cwd=tmp_path)
    assert done.stderr == "[]\n"


def test_a_command_imports_no_other_command(tmp_path):
    code = (
        "import sys; from cairn.cli.boundary import run; run(['version']);"
        "print([m for m in sys.modules if m.startswith('cairn.cli.commands.')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=clean_env(), cwd=tmp_path)
    assert done.stderr == "['cairn.cli.commands.version']\n"


@pytest.mark.parametrize("args", [("--version",), ("version", "--version"), ("-q", "--version")])
def test_the_version_can_be_asked_for_anywhere(tmp_path, args):
    assert re.fullmatch(r"cairn \d+\.\d+\.\d+\S*\n", cairn(*args, cwd=tmp_path).out)


def test_version_as_json(tmp_path):
    ran = cairn("version", "--json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    fits_schema(ran.json(), "version")


def test_help_as_json_describes_everything(tmp_path):
    ran = cairn("help", "--format", "json", cwd=tmp_path)
    fits_schema(ran.json(), "help")
    assert ran.out == cairn("help", "--json", cwd=tmp_path).out
    one = cairn("help", "config", "get", "--json", cwd=tmp_path).json()
    fits_schema(one, "help")
    assert one["arguments"][0]["name"] == "key"


def test_help_as_markdown_has_a_section_for_every_command(tmp_path):
    ran = cairn("help", "--format", "md", cwd=tmp_path)
    assert ran.code == 0
    assert "## cairn config\n" in ran.out
    assert "### cairn config get\n" in ran.out


def test_every_command_has_a_page_with_examples_and_exit_codes(tmp_path):
    def walk(entries):
        for entry in entries:
            yield entry["name"].split()
            yield from walk(entry["commands"])

    for path in walk(cairn("help", "--json", cwd=tmp_path).json()["commands"]):
        ran = cairn(*path, "--help", cwd=tmp_path)
        assert ran.code == 0
        assert ran.err == ""
        assert "Examples:" in ran.out
        assert "Exit codes:" in ran.out
        assert ran.out == cairn("help", *path, cwd=tmp_path).out


# --- pipes, signals, terminals --------------------------------------------------------------------------------------


def test_a_large_document_goes_through_a_pipe_whole(tmp_path):
    program = with_command("ctx.out.emit_json(['x' * 100] * 20_000)", "--json")
    done = subprocess.run(program, capture_output=True, env=clean_env(), cwd=tmp_path)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)) == 20_000


@pytest.mark.parametrize(
    "program",
    [
        command_line("help", "--json"),
        command_line("--help"),
        with_command("ctx.out.emit_json(['x' * 100] * 20_000)"),
        with_command("[ctx.out.data('x' * 100) for _ in range(20_000)]"),
        with_command("[print('x' * 100) for _ in range(20_000)]"),
    ],
    ids=["help-json", "help", "one-document", "many-lines", "print"],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_error(tmp_path, program, unbuffered):
    process = subprocess.Popen(
        program,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env(PYTHONUNBUFFERED=unbuffered),
        cwd=tmp_path,
    )
    head = subprocess.run(["head", "-c", "10"], stdin=process.stdout, capture_output=True)
    process.stdout.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert len(head.stdout) == 10
    assert "Traceback" not in err
    assert "BrokenPipe" not in err


def test_a_pipe_that_was_closed_before_the_start_is_no_error(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command_line("--help"), stdout=writer, stderr=subprocess.PIPE, env=clean_env(), cwd=tmp_path)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_under_the_output_is_a_sentence(tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command_line("help", "--json"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=clean_env(),
            cwd=tmp_path,
            text=True,
        )
    assert done.returncode == 2
    assert "the output could not be written (No space left on device)" in done.stderr
    assert "disk is full" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_control_c_ends_quietly_with_130(tmp_path):
    program = with_command("import time; ctx.out.data('ready'); time.sleep(60)")
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_env(), cwd=tmp_path)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_crash_exits_70_and_names_its_log(tmp_path):
    program = with_command("raise RuntimeError('boom')")
    env = clean_env(TMPDIR=str(tmp_path))
    done = subprocess.run(program, capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.returncode == 70
    assert done.stderr.count("\n") == 1
    (log,) = tmp_path.glob("cairn-crash-*.log")
    assert str(log) in done.stderr
    assert "RuntimeError: boom" in log.read_text()


def on_terminal(program, cwd, **env):
    """What a person sees: stdout and stderr are one terminal."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        program, stdin=child, stdout=child, stderr=child, env=clean_env(TERM="xterm", **env), cwd=cwd, close_fds=True
    )
    os.close(child)
    shown = bytearray()
    while True:
        try:
            chunk = os.read(parent, 4096)
        except OSError:  # Linux says so when the other end is gone
            break
        if not chunk:
            break
        shown.extend(chunk)
    os.close(parent)
    return process.wait(timeout=60), shown.decode()


def test_colours_on_a_terminal_and_not_when_unwanted(tmp_path):
    program = command_line("conifg")
    assert on_terminal(program, tmp_path)[1].startswith("\x1b[31mcairn:\x1b[0m unknown command")
    assert "\x1b" not in on_terminal(program, tmp_path, NO_COLOR="1")[1]
    assert "\x1b" not in on_terminal([*program, "--no-color"], tmp_path)[1]
    assert "\x1b" not in cairn("conifg", cwd=tmp_path).err


def test_progress_on_a_terminal_and_nothing_on_a_pipe(tmp_path):
    body = "import time; p = ctx.out.progress(); time.sleep(.2); p.step('reading', 5, 10); p.event('done')"
    code, shown = on_terminal(with_command(body), tmp_path)
    assert code == 0
    assert "reading ████████████░░░░░░░░░░░░ 5/10" in shown
    assert shown.rpartition("\r\x1b[K")[2].startswith("\x1b[2mdone in ")
    piped = subprocess.run(with_command(body), capture_output=True, text=True, env=clean_env(), cwd=tmp_path)
    assert piped.stdout == ""
    assert re.fullmatch(r"done in \d+ms\n|done in \d+\.\ds\n", piped.stderr)


# --- completion -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(tmp_path, shell):
    ran = cairn("completion", shell, cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert "_CAIRN_COMPLETE" in ran.out
    as_json = cairn("completion", shell, "--json", cwd=tmp_path).json()
    fits_schema(as_json, "completion")
    assert as_json["script"].strip() == ran.out.strip()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cairn con", {"config", "conflict", "context"}),
        ("cairn config ", {"list", "get", "set", "reset", "show"}),
        ("cairn config s", {"set", "show"}),
        ("cairn help --form", {"--format"}),
        ("cairn help --format ", {"human", "md", "json"}),
        ("cairn completion f", {"fish"}),
        ("cairn -q confi", {"config"}),
        ("cairn version --js", {"--json"}),
    ],
)
def test_bash_completes_with_the_script(tmp_path, line, expected):
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "cairn").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cairn "$@"\n')
    (programs / "cairn").chmod(0o755)
    script = f"""
        eval "$(cairn completion bash)"
        COMP_LINE={line!r}; read -ra COMP_WORDS <<< "$COMP_LINE"
        [[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        function_name=$(complete -p cairn | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
        "$function_name" cairn "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    env = clean_env(PATH=f"{programs}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.stderr == ""
    assert set(done.stdout.split()) == expected


def test_completing_imports_no_command(tmp_path):
    env = clean_env(_CAIRN_COMPLETE="bash_complete", COMP_WORDS="cairn ", COMP_CWORD="1")
    code = (
        "import sys; from cairn.cli.boundary import run; run([]);"
        "print([m for m in sys.modules if m.startswith('cairn.cli.commands.')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.stderr == "[]\n"
    assert "config" in done.stdout


@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0)])
def test_closed_streams_are_no_error(tmp_path, closed, code):
    line = " ".join(["exec", sys.executable, "-m", "cairn", "version", closed])
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=clean_env(), cwd=tmp_path)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


# --- how these tests start it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [("--version",), ("help", "--json"), ("nonsense",), (), ("-q", "config", "show")])
def test_forked_from_a_warm_process_it_says_what_it_says_anyway(tmp_path, monkeypatch, args):
    monkeypatch.delenv("COLD", raising=False)
    warm = cairn(*args, cwd=tmp_path)
    monkeypatch.setenv("COLD", "1")
    assert cairn(*args, cwd=tmp_path) == warm


def test_what_python_reads_at_its_start_needs_a_start(monkeypatch):
    monkeypatch.delenv("COLD", raising=False)
    assert can_be_warm(clean_env(CAIRN_COLOR="never", HOME="/nowhere"))
    assert not can_be_warm(clean_env(PYTHONPATH="somewhere"))
    assert not can_be_warm(clean_env(LC_ALL="C"))
