"""Which repository at which GitHub, from the environment and origin's address."""

import pytest

from cairn.adapters.forge.github.project import GitHubProject, place_from, token_from
from cairn.errors import EnvironmentProblem

ORIGINS = [
    "https://github.com/bakery/handbook",
    "https://github.com/bakery/handbook.git",
    "https://github.com/bakery/handbook/",
    "https://x-access-token:abc@github.com/bakery/handbook.git",
    "git@github.com:bakery/handbook.git",
    "github.com:bakery/handbook",
    "ssh://git@github.com/bakery/handbook.git",
    "ssh://git@ssh.github.com:443/bakery/handbook.git",
    "git@GitHub.com:/bakery/handbook.git",
]


@pytest.mark.parametrize("origin", ORIGINS)
def test_all_spellings_of_origin_agree(origin: str) -> None:
    assert place_from({}, origin) == GitHubProject("https://api.github.com", "bakery", "handbook")


def test_the_environment_comes_first() -> None:
    env = {"GITHUB_REPOSITORY": "other/place", "GITHUB_API_URL": "https://github.example.org/api/v3/"}
    assert place_from(env, ORIGINS[0]) == GitHubProject("https://github.example.org/api/v3", "other", "place")


def test_a_github_of_ones_own() -> None:
    env = {"GITHUB_API_URL": "https://github.example.org/api/v3"}
    assert place_from(env, "git@github.example.org:bakery/handbook.git").full_name == "bakery/handbook"


@pytest.mark.parametrize(
    ("env", "origin", "says"),
    [
        ({}, None, "no remote `origin`"),
        ({}, "/srv/git/handbook", "no address at GitHub"),
        ({}, "https://gitlab.com/bakery/handbook", "is at gitlab.com"),
        ({}, "work:bakery/handbook", "is at work"),
        ({}, "https://github.com/handbook", "not `owner/name`"),
        ({}, "https://github.com/bakery/../handbook", "not `owner/name`"),
        ({"GITHUB_REPOSITORY": "handbook"}, ORIGINS[0], "not `owner/name`"),
        ({"GITHUB_REPOSITORY": "bakery/.."}, ORIGINS[0], "not `owner/name`"),
        ({"GITHUB_REPOSITORY": "a/b?c"}, ORIGINS[0], "not `owner/name`"),
        ({"GITHUB_API_URL": "https://github.example.org/api/v3"}, ORIGINS[0], "is at github.com"),
    ],
)
def test_a_place_that_is_not_known_is_said(env: dict[str, str], origin: str | None, says: str) -> None:
    with pytest.raises(EnvironmentProblem, match=says) as caught:
        place_from(env, origin)
    assert "set GITHUB_REPOSITORY" in caught.value.message


@pytest.mark.parametrize(
    ("env", "token"),
    [({"GITHUB_TOKEN": " a "}, "a"), ({"GH_TOKEN": "b"}, "b"), ({"GITHUB_TOKEN": "", "GH_TOKEN": "b"}, "b")],
)
def test_whose_token(env: dict[str, str], token: str) -> None:
    assert token_from(env) == token


def test_without_a_token_it_says_which() -> None:
    with pytest.raises(EnvironmentProblem, match="set GITHUB_TOKEN"):
        token_from({})
