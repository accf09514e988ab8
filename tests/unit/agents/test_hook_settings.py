"""Hooks in settings of others: in, out, and nothing else moves."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.agents.hook_settings import installed, removed, wired
from cairn.agents.hosts import AGENTS, entry, our_command
from cairn.errors import ConfigError, Refused
from cairn.lib.text.json_splice import find, with_item, without

PROGRAM = ("cairn",)
JSON_HOSTS = [agent for agent in AGENTS.values() if agent.style != "plugin"]

words = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=12)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
foreign = st.fixed_dictionaries({"type": st.just("command"), "command": words.filter(lambda text: "hook" not in text)})
groups = st.lists(
    st.fixed_dictionaries({"hooks": st.lists(foreign, max_size=2)}, optional={"matcher": words}), max_size=3
)
events = st.sampled_from(["Stop", "SessionStart", "PreCompact", "stop", "sessionEnd", "PreToolUse"])
settings = st.dictionaries(words.filter(lambda name: name != "hooks"), plain, max_size=4).flatmap(
    lambda rest: (
        st.none().map(lambda _: rest)
        | st.dictionaries(events, groups, max_size=4).map(lambda hooks: {**rest, "hooks": hooks})
    )
)
layouts = st.sampled_from(
    [
        lambda value: json.dumps(value),
        lambda value: json.dumps(value, indent=2) + "\n",
        lambda value: json.dumps(value, indent=4, ensure_ascii=False),
        lambda value: json.dumps(value, indent="\t") + "\n\n",
        lambda value: json.dumps(value, indent=2).replace("\n", "\r\n") + "\r\n",
        lambda value: "\n " + json.dumps(value, separators=(",", ":")) + " \n",
        lambda value: json.dumps(value, separators=(" , ", " : ")),
    ]
)


@pytest.mark.parametrize("agent", JSON_HOSTS, ids=lambda agent: agent.name)
@given(value=settings, layout=layouts)
def test_out_again_is_as_before_to_the_byte(agent, value, layout):
    before = layout(value)
    after = installed(agent, before, PROGRAM)
    assert {hook.event for hook in wired(agent, after)} == set(agent.events)
    assert removed(agent, after, before) == before
    assert installed(agent, after, PROGRAM) == after


@pytest.mark.parametrize("agent", JSON_HOSTS, ids=lambda agent: agent.name)
@given(value=settings, layout=layouts)
def test_nothing_of_others_is_lost_without_a_backup_either(agent, value, layout):
    after = removed(agent, installed(agent, layout(value), PROGRAM))
    left = json.loads(after) if after is not None else {}
    assert _without_empty(left) == _without_empty(value) or left == {} == _without_start(agent, value)


def _without_empty(value):
    hooks = {event: entries for event, entries in value.get("hooks", {}).items() if entries}
    rest = {name: item for name, item in value.items() if name != "hooks"}
    return {**rest, **({"hooks": hooks} if hooks else {})}


def _without_start(agent, value):
    return {} if _without_empty(value) == dict(agent.start) else _without_empty(value)


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda agent: agent.name)
def test_a_file_that_was_not_there_goes_again(agent):
    made = installed(agent, None, PROGRAM)
    assert [hook.ours for hook in wired(agent, made)] == list(agent.events.values())
    assert removed(agent, made) is None


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda agent: agent.name)
def test_another_program_takes_the_place_of_the_first(agent):
    first = installed(agent, None, ("/opt/some where/cairn",))
    second = installed(agent, first, PROGRAM)
    assert second == installed(agent, None, PROGRAM) or agent.style != "plugin"
    assert {our_command(hook.command).program for hook in wired(agent, second)} == {PROGRAM}
    assert len(wired(agent, second)) == len(agent.events)


def test_what_came_meanwhile_stays():
    claude = AGENTS["claude"]
    before = '{\n  "model": "x"\n}\n'
    after = installed(claude, before, PROGRAM)
    later = with_item(after, ("hooks", "Stop"), {"hooks": [{"type": "command", "command": "later"}]})
    left = json.loads(removed(claude, later, before))
    assert left == {"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "later"}]}]}}


def test_ours_in_a_group_of_others_goes_alone():
    claude = AGENTS["claude"]
    mixed = {"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "cairn hook stop"}, {"command": "b"}]}]}}
    left = json.loads(removed(claude, json.dumps(mixed)))
    assert left == {"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "b"}]}]}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "not valid JSON"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "NaN"),
        ("[]", "object"),
        ('// mine\n{"a": 1}', "has comments"),
        ('{\n  "a": 1, // mine\n}', "has comments"),
        ("\ufeff{}", "not valid JSON"),
        ('{"hooks": []}', "`hooks` is not what"),
        ('{"hooks": {"Stop": {}}}', "`hooks.Stop` is not what"),
    ],
)
def test_a_file_that_cannot_be_edited_is_named(text, sentence):
    with pytest.raises(ConfigError, match=sentence) as raised:
        installed(AGENTS["claude"], text, PROGRAM)
    assert ".claude/settings.json" in raised.value.message
    assert "othing was written" in raised.value.message


def test_the_plugin_hands_the_briefing_to_the_model():
    """OpenCode ignores what a program prints; its plugin reads it and adds it to the system prompt."""
    text = installed(AGENTS["opencode"], None, PROGRAM)
    assert 'stdio: ["pipe", "pipe", "ignore"]' in text
    assert "hookSpecificOutput?.additionalContext" in text
    assert '"experimental.chat.system.transform": async (input, output)' in text


def test_a_plugin_of_somebody_else_is_not_replaced():
    with pytest.raises(Refused, match="not Cairn's"):
        installed(AGENTS["opencode"], "export const Mine = 1\n", PROGRAM)


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("cairn hook stop", "stop"),
        ("/opt/env/bin/cairn hook session-end --host codex", "session-end"),
        ("'/opt/my env/bin/cairn' hook stop", "stop"),
        ("/usr/bin/python3 -P -m cairn hook stop", "stop"),
        ("cairn hook stop; rm -rf x", None),
        ("cairn hook stop && curl x", None),
        ("cairn hook $(evil)", None),
        ("evil cairn hook stop", None),
        ("sh -c 'cairn hook stop'", None),
        ("cairn hook stop --host codex --more", None),
        ("cairn scan", None),
        ("cairn hook", None),
        ("hook stop", None),
        ("cairn hook 'stop", None),
        (None, None),
        (7, None),
    ],
)
def test_only_a_plain_call_is_ours(text, event):
    command = our_command(text)
    assert (command.event if command else None) == event


@given(value=settings, layout=layouts)
def test_an_item_in_and_out(value, layout):
    text = layout(value)
    item = entry(AGENTS["claude"], "x")
    more = with_item(text, ("hooks", "Fresh"), item)
    expected = {**value, "hooks": {**value.get("hooks", {}), "Fresh": [item]}}
    assert json.loads(more) == expected
    assert find(more, ("hooks", "Fresh", 0)) is not None
    less = json.loads(without(more, ("hooks", "Fresh", 0)))
    assert _without_empty(less) == _without_empty(value)


@pytest.mark.parametrize("event", ["SessionEnd", "UserPromptSubmit", "Interrupt"])
def test_codex_reports_prompts_interruptions_and_the_end_of_a_session(event):
    hooks = json.loads(installed(AGENTS["codex"], None, PROGRAM))["hooks"]
    [group] = hooks[event]
    assert [hook["command"] for hook in group["hooks"]] == [
        AGENTS["codex"].text("cairn", AGENTS["codex"].events[event])
    ]
