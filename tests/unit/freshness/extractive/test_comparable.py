"""When nothing can be said."""

import pytest

from cairn.freshness.extractive.comparable import language, why_not

ENGLISH = (
    "The server keeps a session for an hour and then it is closed. When a client is not known to the server, the "
    "request is refused with a status that says why. This can be changed in the settings of the project."
)
LANGUAGES = {
    ENGLISH: "English",
    "Der Server hält die Sitzung für eine Stunde und dann wird sie geschlossen. Das ist nicht mit der Einstellung zu "
    "ändern, die auf der Seite von dem Projekt steht.": "German",
    "Le serveur garde la session pour une heure et puis elle est fermée. Les demandes des clients qui ne sont pas "
    "connus sont refusées dans tous les cas.": "French",
    "El servidor mantiene la sesión por una hora y luego se cierra. Los clientes que no son conocidos por el "
    "servidor se rechazan con un estado.": "Spanish",
    "サーバーは一時間セッションを保持し、その後閉じます。": "Chinese or Japanese",
    "Сервер хранит сессию один час, а затем закрывает её.": "Cyrillic",
    "x = 1": None,
}


@pytest.mark.parametrize(("text", "name"), LANGUAGES.items(), ids=[str(name) for name in LANGUAGES.values()])
def test_language(text: str, name: str | None) -> None:
    assert language(text) == name


WALLS = [
    "Please sign in to continue.",
    "Checking your browser before you proceed.",
    "Page not found. It may have been moved.",
    "We are under maintenance.",
]


@pytest.mark.parametrize("wall", WALLS)
def test_wall(wall: str) -> None:
    reason = why_not(ENGLISH * 3, wall, share_kept=0.0)
    assert reason is not None
    assert "instead of its text" in reason


def test_a_page_that_speaks_of_walls_is_none() -> None:
    page = ENGLISH + " Clients without a token have to sign in to continue; otherwise status 404 is sent."
    assert why_not(ENGLISH, page, share_kept=0.9) is None


def test_empty() -> None:
    assert why_not(ENGLISH, "  \n", share_kept=0.0) == "the source has no text now"
