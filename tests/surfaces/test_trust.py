"""`cairn trust`, as people run it: a page is enrolled, judged, promoted, withdrawn and let in again."""

import json

import pytest

from program import cairn, fits_schema
from repository import git
from trust_world import PAGE, page


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("trust") / "shop"
    (root / PAGE).parent.mkdir(parents=True)
    (root / PAGE).write_text(page(status=""))
    git(root.parent, "init", "-q", "-b", "main", str(root))
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    assert cairn("init", cwd=root).code == 0
    assert cairn("config", "set", "trust.preset", "team", cwd=root).code == 0
    return root


def said(root, *args, ends=0):
    ran = cairn("trust", *args, "--json", cwd=root)
    assert ran.code == ends, ran.err
    value = ran.json()
    fits_schema(value, f"trust-{args[0]}")
    return value


def test_the_life_of_a_page_on_the_command_line(shop):
    assert said(shop, "status")["untracked"] == 1
    assert [row["status"] for row in said(shop, "enroll", "knowledge")["enrolled"]] == ["alpha"]
    refused = cairn("trust", "validate", PAGE, "confirm", cwd=shop)
    assert (refused.code, "others have to confirm it" in refused.err) == (1, True)
    git(shop, "config", "user.name", "Grace")
    assert said(shop, "validate", PAGE, "confirm")["anchor"] == f"entry:{PAGE}@r1"
    assert cairn("trust", "validate", "nowhere", "confirm", cwd=shop).code == 5
    assert cairn("trust", "validate", PAGE, "reject", cwd=shop).code == 2
    plan = said(shop, "tick", "--dry-run")
    assert (plan["dryRun"], [change["title"] for change in plan["changes"]]) == (True, [f"Set `{PAGE}` to alpha"])
    done = said(shop, "tick")
    assert done["changes"][0]["request"]
    assert cairn("change", "merge", done["changes"][0]["request"], cwd=shop).code == 0
    why = said(shop, "why", "limits")
    assert (why["target"], [one["measure"] for one in why["missing"]]) == ("beta", ["confirms", "voters", "hours"])
    withdrawn = said(shop, "quarantine", PAGE, "--reason", "It tells agents to run a script.")
    assert withdrawn["artefact"]["status"] == "quarantined"
    shown = cairn("search", "requests a minute", "--json", cwd=shop).json()
    assert [hit["path"] for hit in shown["hits"]] == []
    assert said(shop, "check")["problems"] == []
    assert "in quarantine" in cairn("trust", "status", cwd=shop).out
    assert "Review `knowledge/http/limits.md`" in cairn("status", cwd=shop).out
    back = said(shop, "reinstate", PAGE, "--reason", "Checked.")
    assert (back["artefact"]["status"], len(back["closed"])) == ("alpha", 1)
    assert said(shop, "probe") == {"probed": [{"path": PAGE, "verdict": ""}]}
    events = [event["what"] for event in said(shop, "history", PAGE)["events"]]
    assert events[:2] == ["enroll", "confirm"]
    assert {"land", "quarantine", "reinstate"} <= set(events)
    explained = cairn("search", "requests a minute", "--explain", cwd=shop).out
    assert "trust" in explained


def test_a_simulation_is_printed_and_drawn(tmp_path):
    ran = cairn("trust", "simulate", "--seeds", "1", "--days", "20", "--svg", "trust.svg", "--json", cwd=tmp_path)
    assert ran.code == 0, ran.err
    fits_schema(ran.json(), "trust-simulate")
    assert len(ran.json()["results"]) == 7
    assert (tmp_path / "trust.svg").read_text().startswith("<svg ")
    assert json.dumps(ran.json())
