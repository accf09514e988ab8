"""The demo, run as a newcomer runs it: every command is real, and the story it tells is true."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cairn.workspace.demo.agents import ANSWER, PAGE_ABOUT_FROST, WEDDINGS
from cairn.workspace.demo.chapters import (
    CARDS,
    CHAPTERS,
    FAULTS,
    KEPT,
    LABELS,
    LEARNED,
    MOVED_TO,
    PAGE,
    SHORT,
    SMALLEST,
    VANS,
    VERSION,
)
from cairn.workspace.demo.stage import sample_files, unpack
from program import cairn, clean_env, fits_schema

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 420
"""Seconds; on a machine that does much else at the same time, sixty commands take a while."""
PRECIOUS = "precious.db"
"""A database of the person who watches."""
BEGINNING = """
import sys
import cairn.workspace.demo.chapters as story
from cairn.cli.boundary import run

story.CHAPTERS = story.CHAPTERS[:3]
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """One telling, as JSON; several tests look at it."""
    base = tmp_path_factory.mktemp("demo")
    mine = {"CAIRN_DB": str(base / PRECIOUS), "CAIRN_SCAN__STRICT": "1"}
    ran = cairn("demo", "--full", "--to", "bakery", "--json", cwd=base, timeout=PATIENCE, **mine)
    assert ran.code == 0, ran.out
    return ran.json()


def the_beginning(*args):
    """The program, with a story of three chapters: for what is the same however long it is."""
    return [sys.executable, "-c", BEGINNING, *args]


def step(told, command):
    return next(step for step in told["steps"] if step["command"] == command)


def without_id(command):
    """Change requests, conflicts and jobs are called something else each time."""
    command = re.sub(r"--id \S+ --nonce \S+", "--id j- --nonce n-", command)
    return re.sub(r"\bc-[0-9a-f]{8}\b|\b[0-9a-f]{4}-\d+$", "c-", command)


def steps_of(told, chapter, command):
    return [step for step in told["steps"] if step["chapter"] == chapter and step["command"].startswith(command)]


@pytest.fixture
def bakery(tmp_path):
    """The sample alone, before the story begins."""
    unpack(tmp_path)
    return tmp_path


def issues_of(folder):
    assert cairn("init", "--no-scan", cwd=folder).code == 0
    return cairn("check", "--json", cwd=folder).json()["issues"]


def test_as_json_it_lists_the_steps(told):
    fits_schema(told, "demo")
    assert {step["chapter"] for step in told["steps"]} == {chapter.title for chapter in CHAPTERS}
    assert {step["exitCode"] for step in told["steps"]} == {0, 1}
    assert Path(told["page"]).read_text().startswith("<!doctype html>")


def test_the_check_finds_what_was_planted_and_nothing_else(bakery):
    found = {(issue["nodeIds"][0], issue["analyzerId"]) for issue in issues_of(bakery)}
    planted = {(fault.path, fault.analyzer) for fault in FAULTS}
    assert found == planted


def test_every_planted_fault_is_shown(told):
    [shown] = steps_of(told, "What is wrong", "cairn check")
    for fault in FAULTS:
        assert f"{fault.path}\n" in shown["output"] and fault.analyzer in shown["output"]


def test_the_map_at_the_end_is_of_the_end(told):
    assert told["steps"][-1]["command"] == f"cairn graph --format html -o {PAGE} --force"
    assert "card-limits.md" in Path(told["page"]).read_text()


def test_one_edit_is_one_file_read(told):
    edited = [step for step in told["steps"] if step["chapter"] == "An edit" and step["command"] == "cairn scan"]
    assert edited[0]["output"].startswith("~ docs/guides/ordering.md\n1 changed; ")


def test_the_rename_is_seen_and_what_it_broke_is_named(told):
    moved = [step for step in told["steps"] if step["chapter"] == "A rename" and step["command"] == "cairn scan"]
    assert f"→ {MOVED_TO}\n1 moved; " in moved[0]["output"]
    broken = [s for s in told["steps"] if s["chapter"] == "A rename" and s["command"].startswith("cairn check")]
    assert "the file `docs/runbooks/refund.md` was moved to `" in broken[0]["output"]
    assert "also " in broken[0]["output"], "one cause, one finding with its four places"


def test_in_the_end_no_reference_is_broken_and_the_rest_is_known(told):
    assert step(told, "cairn check --analyzers reference-broken")["exitCode"] == 1
    assert [s["exitCode"] for s in told["steps"] if s["chapter"] == "Mending"] == [0]
    [known] = steps_of(told, "The morning after", "cairn check")
    assert "No problems found (" in known["output"] and "; 4 known from the baseline\n" in known["output"]


def test_a_change_of_the_code_names_the_sentences_and_mending_them_is_enough(told):
    before, after = steps_of(told, "The code moves on", "cairn check --diff HEAD")
    assert (before["exitCode"], after["exitCode"]) == (1, 0)
    for said in ("which is 20", "sourdough-night --preview", "within 30 minutes", "sourdough/orders.py#HOLD_MINUTES"):
        assert said in before["output"]
    assert "4 sentences of 2 documents in doubt (2 changed files)\n" in before["output"]


def test_a_question_is_answered_or_not_answered_at_all(told):
    answered, not_answered = [s["output"] for s in told["steps"] if s["command"].startswith("cairn search")]
    assert answered.startswith("docs/guides/night-plan.md:11 ")
    assert not_answered.startswith("Nothing here fits well")


# --- the web, and what people make of it ------------------------------------------------------------------------------


def nights(told):
    return [step["output"] for step in steps_of(told, "The web moves on", "cairn freshness run")]


def test_the_night_finds_exactly_what_drifted(told):
    first, second, compared, third = nights(told)
    assert first.count("first look: ") == 7 and "opened" not in first
    assert "7 confirmed, 0 in doubt, 1 request opened" in second
    in_doubt = re.findall(r"^in doubt: knowledge/\S+/(\S+)\.md: ", third, re.M)
    assert in_doubt == ["vans-in-town", "card-limits", "monthly-bill", "allergen-labels"]
    assert re.findall(r"^in doubt: knowledge/\S+/(\S+)\.md: ", compared, re.M) == in_doubt, "lost values are exact"
    [waiting] = re.findall(r"^to be read: .*", compared, re.M)
    assert "before “We take orders for the next day until 4 p.m.”" in waiting and "by telephone only.”" in waiting
    assert "0 confirmed, 4 in doubt, 3 requests to open, 1 to be read" in compared, "a new design is no news"
    assert "0 confirmed, 4 in doubt, 3 requests opened, 1 to be read" in third
    assert (
        len(re.findall(r"^opened .*refresh 2 entries against http://127\.0\.0\.1:\d+/cards/terms ", third, re.M)) == 1
    )


def test_recorded_answers_bring_requests_up_to_date(told):
    opened = re.findall(r"^opened (c-\w+) ", nights(told)[3], re.M)
    [judged] = steps_of(told, "The web moves on", "cairn judge")
    assert "5 questions answered, 0 failed" in judged["output"]
    assert sorted(re.findall(r"^change request (c-\w+) ", judged["output"], re.M)) == sorted(opened)


def test_what_the_operator_allows_for_the_demo_is_in_every_report(told):
    place = re.search(r"http://(127\.0\.0\.1:\d+)/", nights(told)[0])[1]
    reports = [step for step in told["steps"] if re.match(r"cairn freshness (run|link-check)", step["command"])]
    loud = [step["output"] for step in reports if "--quiet" not in step["command"]]
    assert len(loud) == 5 and all(f"CAIRN_FETCH_ALLOW also allows {place}\n" in said for said in loud)


def test_the_page_that_is_gone_is_named(told):
    [check] = steps_of(told, "The web moves on", "cairn freshness link-check")
    assert check["exitCode"] == 1 and "/guild/flues: The server answers 404" in check["output"]
    assert "knowledge/ovens/flue-sweep.md:8\n5 of 6 pages are there" in check["output"]


def test_one_is_merged_one_is_blocked_one_is_taken_back(told):
    cards, labels, vans, back, bump = steps_of(told, "People decide", "cairn change merge")
    assert [step["exitCode"] for step in (cards, labels, vans, back, bump)] == [0, 1, 0, 0, 0]
    assert (
        "anti-over-rewrite: knowledge/rules/allergen-labels.md loses 18% of its lines, and 35% of the new text is added"
        in labels["output"]
    )
    [diff] = steps_of(told, "People decide", "cairn change diff")
    assert diff["output"].count("\n+") == 2 * 4 and "at most 60 payments" in diff["output"]
    folder = Path(told["folder"])
    assert "at most 60 payments" in (folder / CARDS).read_text()
    assert "names 14 allergens" in (folder / LABELS).read_text()
    assert "until 11 a.m." in (folder / VANS).read_text()
    assert (folder / VERSION).read_text() == "0.1.3\n"


def test_a_code_change_proposes_the_new_sentence(told):
    asked, answered = steps_of(told, "Only a reader can tell", "cairn check --diff HEAD --judge")
    assert (asked["exitCode"], answered["exitCode"]) == (0, 1)
    assert "1 sentence about changed code is waiting to be read" in asked["output"]
    assert "Fix: Replace it with: `plan_night` takes the smallest order first, and" in answered["output"]
    assert SMALLEST in Path(told["folder"], "docs/guides/night-plan.md").read_text()


def test_in_the_end_nobody_is_asked_again(told):
    [night] = steps_of(told, "People decide", "cairn freshness run")
    assert "0 requests opened, 3 held back" in night["output"] and "was reverted; it is asked again" in night["output"]
    [status] = steps_of(told, "The morning after", "cairn status")
    assert "1 change request open" in status["output"] and "1 blocked by anti-over-rewrite" in status["output"]


def test_the_year_of_the_story_gets_quieter(told, tmp_path):
    [year] = steps_of(told, "A year", "cairn demo --year")
    ran = cairn("demo", "--year", "--json", cwd=tmp_path)
    fits_schema(ran.json(), "demo-year")
    first, *_, last = (quarter["requests"] for quarter in ran.json()["quarters"])
    assert last < first / 2 and f" {first}  " in year["output"]
    assert list(tmp_path.iterdir()) == []


def test_another_seed_is_another_year(tmp_path):
    said = {cairn("demo", "--year", "--seed", seed, cwd=tmp_path).out for seed in ("1", "5")}
    assert len(said) == 2 and all("for 1,000 entries a week" in text for text in said)


# --- agents, and what they missed -------------------------------------------------------------------------------------


def test_each_turn_leaves_a_trace_and_the_lost_one_is_named(told):
    hooks = [step["output"] for step in steps_of(told, "Three agents", "cairn hook stop")]
    assert hooks == ["", "", ""]
    [listed] = steps_of(told, "Three agents", "cairn turns list")
    lost, thanks, rye = listed["output"].splitlines()[1:4]
    assert re.search(r"python:monday:\S+ +none +python/planner$", lost.rstrip())
    assert "u-thanks  skipped " in thanks and thanks.rstrip().endswith("no-new-information")
    assert "u-rye     completed " in rye and "As [REDACTED:email] guessed, the plan counts" in rye
    [drained] = steps_of(told, "Three agents", "cairn -C vans hook drain")
    assert "turns 1" in drained["output"]
    [verified] = steps_of(told, "Three agents", "cairn turns verify")
    assert verified["exitCode"] == 1
    assert "2 of 3 turns accounted for: 1 noted, 1 skipped, 0 failed\n1 missing:\npython:monday:" in verified["output"]


def test_the_watchdog_says_it_in_the_morning(told):
    [status] = steps_of(told, "The morning after", "cairn status")
    waits = status["output"].partition("Since yesterday")[0]
    assert "the only turn of python ended without a note or a reason" in waits


def test_a_gap_crosses_the_threshold_and_disappears_with_its_page(told):
    before, after, covered = (s["output"] for s in steps_of(told, "What was missing", "cairn gaps list"))
    assert before.startswith("no gaps\n")
    assert "P2  frost-on-the-ramp  3 signals from 2 projects" in after
    assert f"{PAGE_ABOUT_FROST} is the entry `frost-on-the-ramp`" in covered and "P2" not in covered
    page = (Path(told["folder"]) / PAGE_ABOUT_FROST).read_text()
    assert ANSWER in page and "<!--" not in page
    listed = cairn("gaps", "list", cwd=told["folder"])
    assert listed.out == "no gaps\n"


def test_nothing_of_the_agents_is_committed(told):
    tracked = subprocess.run(["git", "ls-files"], cwd=told["folder"], capture_output=True, text=True, check=True)
    assert not re.search(r"^(?:scratch|vans)/", tracked.stdout, re.M)
    ledgers = [file.read_text() for file in Path(told["folder"]).glob("**/.cairn/ledger/**/*.jsonl")]
    assert len(ledgers) >= 3 and not any("ida.brot" in text for text in ledgers)


# --- what was learned -------------------------------------------------------------------------------------------------


def test_a_correction_becomes_a_page_with_the_sentence_it_rests_on(told):
    asked, curated = steps_of(told, "What was learned", "cairn curate")
    assert "waiting to be read" in asked["output"]
    assert re.search(
        rf"^add +Hold wedding orders for 48 hours with `place_order` +{WEDDINGS} ", curated["output"], re.M
    )
    [shown] = steps_of(told, "What was learned", "cairn change show")
    assert "> No, hold wedding orders for 48 hours with `place_order`, because the couple pays" in shown["output"]


def test_another_session_that_says_otherwise_is_a_conflict_which_a_person_settles(told):
    _, curated = steps_of(told, "It says otherwise", "cairn curate")
    assert curated["output"].splitlines()[1].startswith("contradict  Hold wedding orders for 24 hours")
    page = (Path(told["folder"]) / WEDDINGS).read_text()
    assert "for 24 hours" in page and "48 hours" not in page
    assert len(re.findall(r"^  - \.cairn/sessions/", page, re.M)) == 2, "it says where it has it from, both times"
    assert cairn("conflict", "list", "--json", cwd=told["folder"]).json()["conflicts"] == []


def test_an_agent_gets_the_answer_and_what_it_rests_on(told):
    [asked] = steps_of(told, "An agent asks", "python ")
    assert f"- {WEDDINGS} › Hold wedding orders for 24 hours" in asked["output"]
    assert re.search(r"^sources: \.cairn/sessions/\S+, \.cairn/sessions/\S+$", asked["output"], re.M)


def test_what_was_learned_is_in_doubt_when_the_code_moves_on_and_mended_with_it(told):
    before, after = steps_of(told, "An agent asks", "cairn check --diff HEAD")
    assert (before["exitCode"], after["exitCode"]) == (1, 0)
    assert (
        WEDDINGS in before["output"] and "`place_order` no longer exists: renamed to `take_order`" in before["output"]
    )


# --- the short story -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    base = tmp_path_factory.mktemp("short")
    ran = cairn("demo", "--to", "bakery", cwd=base, timeout=PATIENCE)
    assert ran.code == 0, ran.out + ran.err
    return base / "bakery", ran.out


def test_the_short_story_fits_on_two_screens_and_ends_with_the_map(short):
    folder, out = short
    assert len(out.splitlines()) <= 85
    assert out.endswith(f"Open the map in a browser: {(folder / PAGE).as_uri()}\n")
    assert (folder / PAGE).read_text().startswith("<!doctype html>")


def test_the_short_story_is_true(short):
    folder, out = short
    assert "`REST_MINUTES` is no longer `20`: it is `30`." in out
    assert KEPT in (folder / LEARNED).read_text()
    merged = re.search(r"^\$ cairn change merge (\S+)$", out, re.M)
    assert merged[1] in out[: merged.start()], "an id is shown before it is used"
    assert "nobody has confirmed" not in out, "a merge is an approval"
    assert f"\n{LEARNED}:" in out, "the search finds the page that was learned"
    assert re.findall(r"^\d+\. .*$", out, re.M) == [f"{n}. {c.title}" for n, c in enumerate(SHORT, 1)]


def test_the_short_story_as_json(tmp_path):
    told = cairn("demo", "--to", "bakery", "--json", "--no-keep", cwd=tmp_path, timeout=PATIENCE).json()
    fits_schema(told, "demo")
    assert {step["chapter"] for step in told["steps"]} == {chapter.title for chapter in SHORT}
    checks = [step["exitCode"] for step in told["steps"] if step["command"] == "cairn check --diff HEAD"]
    assert checks == [1, 0], "the sentence is in doubt until it is corrected"


# --- around it --------------------------------------------------------------------------------------------------------


def test_the_repository_is_one_of_its_own(told):
    log = subprocess.run(
        ["git", "log", "--format=%an %s"], cwd=told["folder"], capture_output=True, text=True, check=True
    )
    assert {line.split()[0] for line in log.stdout.splitlines()} == {"Sourdough", "Cairn"}
    assert log.stdout.splitlines()[-2:] == ["Sourdough Mend the links", "Sourdough Start the bakery"]


def test_for_people_the_story_shows_every_command_and_ends_with_advice_that_works(tmp_path, told):
    place = tmp_path / "a place"
    place.mkdir()
    ran = cairn("demo", "--full", cwd=tmp_path, timeout=PATIENCE, TMPDIR=str(place))
    assert ran.code == 0
    shown = [without_id(line) for line in re.findall(r"^\$ (.*)$", ran.out, re.M)]
    assert shown == [without_id(step["command"]) for step in told["steps"]]
    assert [f"{n}. {c.title}" for n, c in enumerate(CHAPTERS, 1)] == re.findall(r"^\d+\. .*$", ran.out, re.M)
    assert "\x1b" not in ran.out
    (page,) = place.glob(f"cairn-demo-*/sourdough/{PAGE}")
    assert ran.out.endswith(f"Open the map in a browser: {page.as_uri()}\n")
    assert re.fullmatch(r"done in [^\n]+\n", ran.err)

    advice = re.findall(r"^  ((?:CAIRN_\S+ )?\S*cairn .*?|git .*?) +# ", ran.out, re.M)
    assert len(advice) == 2
    program = tmp_path / "bin"
    program.mkdir()
    (program / "cairn").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cairn "$@"\n')
    (program / "cairn").chmod(0o755)
    env = clean_env(PATH=f"{program}:{os.environ['PATH']}")
    ends = [subprocess.run(["sh", "-c", line], env=env, cwd=tmp_path, capture_output=True) for line in advice]
    assert [end.returncode for end in ends] == [1, 0]
    assert b"1 error (" in ends[0].stdout + ends[0].stderr, "the same error that the last chapter leaves"


def test_it_can_take_everything_away_again(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    line = the_beginning("demo", "--full", "--no-keep", "--json")
    done = subprocess.run(line, cwd=tmp_path, env=clean_env(TMPDIR=str(place)), capture_output=True, check=True)
    told = json.loads(done.stdout)
    assert (told["kept"], told["page"], len({step["chapter"] for step in told["steps"]})) == (False, None, 3)
    assert list(place.iterdir()) == []


def test_it_leaves_the_persons_settings_alone(told):
    assert not Path(told["folder"]).with_name(PRECIOUS).exists()


def test_it_writes_into_no_folder_that_holds_something(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.md").write_text("all I have")
    ran = cairn("demo", "--to", "mine", cwd=tmp_path)
    assert ran.code == 3
    assert "not an empty folder" in ran.err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.md"]


def test_without_git_it_says_so(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    ran = cairn("demo", "--to", "bakery", cwd=tmp_path, PATH=str(empty))
    assert ran.code == 2
    assert "the demo needs git" in ran.err


def test_on_a_terminal_it_has_colours_and_pauses_when_asked(tmp_path):
    parent, child = pty.openpty()
    process = subprocess.Popen(
        the_beginning("demo", "--full", "--to", "bakery", "--pause"),
        stdin=child,
        stdout=child,
        stderr=child,
        cwd=tmp_path,
        env=clean_env(TERM="xterm"),
        close_fds=True,
    )
    os.close(child)
    shown = b""
    presses = 0
    while presses < 500:
        if not select.select([parent], [], [], 0.2)[0]:
            os.write(parent, b" ")  # a key that comes before the question is lost, so it is pressed again
            presses += 1
            continue
        try:
            shown += os.read(parent, 65536)
        except OSError:  # Linux says so when the other end is gone
            break
    else:
        process.kill()
    os.close(parent)
    assert process.wait(timeout=60) == 0
    assert shown.count(b"press a key") == 3
    assert b"\x1b[36m$ cairn check -v\x1b[0m" in shown
    assert b"\x1b[31merror  \x1b[0m" in shown


def test_the_sample_has_links_of_every_form():
    text = "\n".join(file.read_text() for path, file in sample_files() if path.endswith(".md"))
    forms = [
        r"\]\(\w[\w./-]*\.md\)",  # inline
        r"^\[\w+\]: ",  # reference style
        r"!\[[^]]*\]\([^)]+\.png\)",  # image
        r"\]\(<[^>]+>\)",  # with blanks
        r"%20",
        r"\[\[\w+\]\]",
        r"\]\(/",  # from the root
        r"`[\w./-]+\.md`",
        r"@\w+",
        r" /[a-z-]+",
    ]
    assert [form for form in forms if not re.search(form, text, re.M)] == []


def test_the_sample_is_in_the_wheel(tmp_path):
    """Names with a dot are easily lost on the way into a package."""
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            tmp_path,
            REPOSITORY,
        ],
        check=True,
        env=clean_env(PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INDEX="1"),
    )
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    texts = [file for name in ("sample", "web", "talks") for file in file_root().joinpath(name).rglob("*")]
    files = [file for file in texts if file.is_file() and file.suffix != ".pyc"]
    wanted = {f"cairn/workspace/demo/{file.relative_to(file_root())}" for file in files}
    assert len(wanted) > 45
    assert wanted <= packed
    assert json.loads(zipfile.ZipFile(wheel).read("cairn/core/schemas/event.schema.json"))


def file_root():
    import cairn.workspace.demo

    return Path(cairn.workspace.demo.__file__).parent
