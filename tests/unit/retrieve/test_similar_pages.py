"""Which pages a text is about, as search ranks them."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cairn.app.build import App, build_app
from cairn.curate.curated_pages import KINDS, Neighbours, WorkPages
from cairn.curate.shortlist import best
from curation import candidate
from repository import make

SETTINGS = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}'
PAGES = {
    "passwords": ("Reset a forgotten password", "Users get a link that is valid for an hour."),
    "backups": ("Nightly backups", "The database is copied to another region every night."),
    "invoices": ("Invoices as PDF", "Customers receive an invoice by e-mail on the first day of the month."),
    "deploys": ("Deployments", "Deploy to the canary first."),
    "timeouts": ("Timeouts of requests", "Requests end after thirty seconds."),
    "lint": ("Formatting", "Ruff formats the code before each commit."),
}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    pages = {
        f"knowledge/map/{name}.md": f"---\nname: {name}\ndescription: {text}\n---\n\n# {title}\n\n{text}\n"
        for name, (title, text) in PAGES.items()
    }
    root = make(tmp_path / "w", {**pages, ".cairn/settings.json": SETTINGS})
    with closing(build_app(root, env={"PATH": os.environ["PATH"]}, installed=False)) as app:
        app.update_graph()
        yield app


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das Passwort zurücksetzen: Der Link für Benutzer ist eine Stunde gültig.", "passwords"),
        ("La sauvegarde de la base de données se fait chaque nuit.", "backups"),
        ("Los clientes reciben la factura por correo.", "invoices"),
        ("データベースのバックアップは毎晩行う。", "backups"),
        ("Clients get a bill each month.", "invoices"),
    ],
)
def test_words_of_other_languages_and_synonyms_lead_to_the_page(app: App, text: str, expected: str) -> None:
    assert app.similar_pages((text,), KINDS, 4)[0] == f"knowledge/map/{expected}.md"
    shown = best(found := candidate(text), Neighbours(app, WorkPages(app, {}))(found))
    assert expected in [one.id for one in shown[:4]]


def test_signs_of_a_query_mean_nothing_in_a_text(app: App) -> None:
    text = 'path: "invoice by pigeon" -customers kind:none'
    assert app.similar_pages((text,), KINDS, 4)[0] == "knowledge/map/invoices.md"


def test_several_wordings_are_joined_and_empty_ones_left_out(app: App) -> None:
    found = app.similar_pages(("", "canary", "ruff"), KINDS, 4)
    assert sorted(found) == ["knowledge/map/deploys.md", "knowledge/map/lint.md"]
    assert app.similar_pages(("", "…"), KINDS, 4) == []
