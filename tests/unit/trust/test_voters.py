"""Voters are numbers from which nobody reads a name."""

from pathlib import Path

from cairn.trust.presets import PRESETS
from cairn.trust.voters import Voters
from trust_world import PAGE, TrustWorld, page


def voters(world: TrustWorld, preset: str) -> Voters:
    return Voters(world.app, next(one for one in PRESETS.values() if one.name == preset))


def test_a_voter_of_a_hub_cannot_be_followed_from_page_to_page(tmp_path: Path) -> None:
    world = TrustWorld(tmp_path / "shop")
    world.commit(page())
    hub, team = voters(world, "hub"), voters(world, "team")
    assert hub.person(PAGE) == voters(world, "hub").person(PAGE)
    assert hub.person(PAGE) != hub.person("other.md")
    assert team.person(PAGE) == team.person("other.md")
    salt = tmp_path / "state" / "cairn" / "trust-salt"
    assert salt.stat().st_mode & 0o777 == 0o600
    assert str(world.root) not in str(salt)


def test_alone_each_session_counts_and_in_a_team_an_agent_has_one_voice(tmp_path: Path) -> None:
    world = TrustWorld(tmp_path / "shop")
    world.commit(page())
    solo, team = voters(world, "solo"), voters(world, "team")
    assert solo.agent(PAGE, "claude", "s1") != solo.agent(PAGE, "claude", "s2")
    assert team.agent(PAGE, "claude", "s1") == team.agent(PAGE, "claude", "s2")
    assert team.agent(PAGE, "claude", "s1") != team.agent(PAGE, "codex", "s1")
