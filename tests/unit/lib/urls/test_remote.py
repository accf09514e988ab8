"""Every way to write the address of a repository, and which of them are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.urls.remote import normalised_remote, project_id

SAME = [
    "git@github.com:acme/oven.git",
    "git@github.com:acme/oven",
    "github.com:acme/oven.git",
    "git@GitHub.com:/acme/oven.git/",
    "ssh://git@github.com/acme/oven.git",
    "ssh://git@github.com:22/acme/oven.git",
    "ssh://git@ssh.github.com:443/acme/oven.git",
    "git+ssh://git@github.com/acme/oven",
    "SSH://git@GITHUB.COM/acme/oven.git",
    "https://github.com/acme/oven",
    "https://github.com/acme/oven.git",
    "https://github.com/acme/oven.git/",
    "https://github.com/acme/oven/",
    "https://github.com:443/acme/oven",
    "https://github.com./acme/oven",
    "https://ann@github.com/acme/oven.git",
    "https://ann:s3cret@github.com/acme/oven.git",
    "https://x-access-token:ghp_0123@github.com//acme/./oven.git",
    "http://github.com/acme/oven?x=1#y",
    "git://github.com/acme/oven.git",
    "  https://github.com/acme/oven.git\n",
    "https://github.com/acme/%6Fven.git",
]


@pytest.mark.parametrize("remote", SAME)
def test_one_project(remote: str) -> None:
    assert normalised_remote(remote) == "github.com/acme/oven"
    assert project_id(remote, "/a") == project_id(SAME[0], "/b")


OTHERS = [
    ("https://gitlab.com/acme/oven", "gitlab.com/acme/oven"),
    ("https://github.com/acme/Oven", "github.com/acme/Oven"),
    ("https://github.com/acme/oven.github", "github.com/acme/oven.github"),
    ("git@git.example.org:2222/acme/oven.git", "git.example.org/2222/acme/oven"),
    ("ssh://git@git.example.org:2222/acme/oven.git", "git.example.org/acme/oven"),
    ("ssh://ann@[2001:db8::1]:22/srv/oven.git", "2001:db8::1/srv/oven"),
    ("ann@[2001:db8::1]:srv/oven.git", "2001:db8::1/srv/oven"),
    ("https://dev.azure.com/acme/ovens/_git/oven", "dev.azure.com/acme/ovens/_git/oven"),
    ("/srv/git/oven.git", "file:///srv/git/oven"),
    ("file:///srv/git/oven.git", "file:///srv/git/oven"),
    ("file://localhost/srv/git/oven", "file:///srv/git/oven"),
    ("../oven.git", "file:///home/oven"),
    ("/srv/oven/.git", "file:///srv/oven"),
    ("./a:b", "file:///home/work/a:b"),
]


@pytest.mark.parametrize(("remote", "normalised"), OTHERS)
def test_other_projects(remote: str, normalised: str) -> None:
    assert normalised_remote(remote, "/home/work") == normalised


@pytest.mark.parametrize("remote", [None, "", "  ", "https://", "ssh://git@/", "host:"])
def test_without_a_remote_the_place_counts(remote: str | None) -> None:
    assert project_id(remote, "/a") == project_id(None, "/a") != project_id(None, "/b")
    assert len(project_id(remote, "/a")) == 64


@given(st.text(max_size=60))
def test_any_text_gives_an_id(remote: str) -> None:
    assert len(project_id(remote, "/a")) == 64


@given(st.from_regex(r"[a-z0-9]{1,12}", fullmatch=True))
def test_no_password_comes_through(password: str) -> None:
    remote = f"https://ann:{password}Q@example.org/x/y"
    assert normalised_remote(remote) == "example.org/x/y"
