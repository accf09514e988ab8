"""Questions in other languages about English pages."""

from pathlib import Path

import pytest

from asked import ask, paths
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.search_query import parse_query
from cairn.lib.text.thesaurus import languages_of, translate, translate_run
from workbench import Bench

LANGUAGES = {
    "Wie lösche ich alte Dateien?": "de",
    "Comment supprimer les fichiers ?": "fr",
    "¿Cómo borro los archivos?": "es",
    "Como eu apago os arquivos?": "pt",
    "Come posso eliminare i file con questo?": "it",
    "Hoe kan ik het bestand verwijderen?": "nl",
    "Jak można usunąć pliki?": "pl",
    "Как удалить файлы?": "ru",
    "如何删除文件": "zh",
    "ファイルを削除する方法": "ja",
    "파일을 삭제하려면": "ko",
}


@pytest.mark.parametrize(("question", "language"), LANGUAGES.items(), ids=LANGUAGES.values())
def test_the_language_is_told_by_script_or_little_words(question: str, language: str) -> None:
    assert language in languages_of(question)


@pytest.mark.parametrize("question", LANGUAGES, ids=LANGUAGES.values())
def test_every_language_has_a_word_for_delete_and_file(question: str) -> None:
    english = {" ".join(other.words) for unit in parse_query(question).units for other in unit.also}
    assert {"delete", "file"} <= english


def test_an_english_question_is_not_translated() -> None:
    assert parse_query("how do I delete a map").in_english == ""


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("konfigurationsdatei", ["konfigurations", "datei"]),
        ("Passwörter", ["passworter"]),
        ("xylophon", []),
        ("umgebungsvariablen", ["umgebungsvariablen"]),
    ],
)
def test_a_compound_is_taken_apart(word: str, parts: list[str]) -> None:
    assert [part.word for part in translate(word, ("de",))] == parts


def test_words_without_blanks_are_taken_by_the_longest_entry() -> None:
    found = [part if isinstance(part, str) else part.word for part in translate_run("环境变量在哪里设置", ("zh",))]
    assert found == ["环境变量", "在哪", "里", "设置"]


def test_japanese_letters_with_a_voiced_sign_are_letters_of_their_own() -> None:
    found = list(translate_run("データベースのバックアップ", ("ja",)))
    assert [part if isinstance(part, str) else part.word for part in found] == ["データベース", "の", "バックアップ"]


def test_a_phrase_of_several_words_is_one() -> None:
    units = parse_query("Comment changer le mot de passe ?").units
    assert "mot de passe" in [unit.shown for unit in units]


def test_the_table_has_a_column_for_each_language() -> None:
    table = Path(__file__).parents[3] / "src" / "cairn" / "lib" / "text" / "words" / "dictionary.txt"
    rows = [line.split("|") for line in table.read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert {len(row) for row in rows} == {12}


PAGES = [
    ("docs/snapshots.md", "# Removing old backups\n\nOld backups are removed by a policy.\n"),
    ("docs/password.md", "# Changing the password\n\nThe password is stored in a file.\n"),
    ("docs/proxy.md", "# Running behind a proxy\n\nSet the trusted address.\n"),
    ("docs/colours.md", "# Colours\n\nRed and green.\n"),
]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("tongues"), open_memory())
    bench.write_all(PAGES)
    bench.scan()
    return bench


ASKED = {
    "Wie lösche ich alte Sicherungen?": "docs/snapshots.md",
    "Comment changer le mot de passe ?": "docs/password.md",
    "¿Dónde se guarda la contraseña?": "docs/password.md",
    "Jak uruchomić serwer za proxy?": "docs/proxy.md",
    "Как удалить старые резервные копии?": "docs/snapshots.md",
    "如何修改密码": "docs/password.md",
    "古いバックアップを削除するには": "docs/snapshots.md",
    "비밀번호를 변경하려면": "docs/password.md",
}


@pytest.mark.parametrize(("question", "page"), ASKED.items(), ids=ASKED)
def test_a_question_finds_the_english_page(bench: Bench, question: str, page: str) -> None:
    assert paths(ask(bench, question))[0] == page
