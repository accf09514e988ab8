"""Submitting: one question waits once, its time and its priority come from where they should."""

import re

import pytest

from asked_jobs import ASK, NOON, asked, taken
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.errors import Conflict, UsageError
from cairn.jobs.finish import JobEnd, finish
from cairn.jobs.submit import new_nonce


@pytest.fixture
def store():
    database = open_memory()
    yield database.jobs
    database.close()


def test_the_same_question_waits_once(store):
    first = asked(store)
    with pytest.raises(Conflict, match=f"The job {first.id} asks the same and is queued") as caught:
        asked(store)
    assert caught.value.details["job"] == first.id and caught.value.exit_code == 3
    taken(store)
    with pytest.raises(Conflict, match="is running"):
        asked(store)
    finish(store.job(first.id), JobEnd("completed"), store=store, now_ms=NOON)
    assert asked(store).status == "queued", "an answered question may be asked again"


def test_a_comma_in_the_prompt_asks_nothing_again(store):
    asked(store)
    with pytest.raises(Conflict):
        asked(store, action=ASK._replace(prompt="Say, `answer`."))
    for other in ({"subject": "b.md"}, {"material": "other"}, {"action": ASK._replace(version="1.0.1")}):
        assert asked(store, **other).status == "queued"


def test_force_submits_another_one(store):
    first, second = asked(store), asked(store, forced=True)
    assert second.id != first.id and second.nonce != first.nonce
    with pytest.raises(Conflict):
        asked(store)


def test_an_action_without_a_prompt_is_no_question(store):
    with pytest.raises(UsageError, match="asks no model"):
        asked(store, action=ASK._replace(prompt=None))


def test_a_nonce_has_128_bits():
    nonces = {new_nonce() for _ in range(100)}
    assert len(nonces) == 100 and all(re.fullmatch("[0-9a-f]{32}", nonce) for nonce in nonces)
