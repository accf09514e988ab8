"""Sources inside of a network: refused by their name or address, unless the operator allows them."""

from pathlib import Path

import pytest

from program import cairn
from repository import make

PAGE = """---
name: wiki
description: d
sources:
  - url: {}
---
# Wiki

## Summary

s

## Deep Guidance

g
"""


def corpus(tmp_path: Path, url: str) -> Path:
    return make(tmp_path / "repo", {"knowledge/core/wiki.md": PAGE.format(url), "knowledge/VERSION": "1.0.0\n"})


@pytest.mark.parametrize(
    "url, place",
    [
        ("http://wiki/page", "wiki:80"),
        ("https://docs.corp.internal/x", "docs.corp.internal:443"),
        ("http://metadata.google.internal/computeMetadata/v1/", "metadata.google.internal:80"),
        ("https://nas.local/", "nas.local:443"),
        ("http://168.63.129.16/", "168.63.129.16:80"),
        ("http://100.100.100.200/latest/", "100.100.100.200:80"),
        ("http://[fd00:ec2::254]/", "[fd00:ec2::254]:80"),
        ("https://\uff57\uff49\uff4b\uff49.internal/", "wiki.internal:443"),
        ("http://10.0.0.7:8080/x", "10.0.0.7:8080"),
    ],
)
def test_validate_refuses_a_place_inside_and_names_the_variable(tmp_path: Path, url: str, place: str) -> None:
    root = corpus(tmp_path, url)
    refused = cairn("freshness", "validate", cwd=root)
    assert refused.code == 1 and f"CAIRN_FETCH_ALLOW={place}" in refused.out, refused.out
    allowed = cairn("freshness", "validate", cwd=root, CAIRN_FETCH_ALLOW=place)
    assert allowed.code == 0, allowed.out


def test_an_audit_of_an_intranet_source_names_the_variable(tmp_path: Path) -> None:
    root = corpus(tmp_path, "http://10.0.0.7:8080/page")
    assert cairn("init", cwd=root).code == 0
    audited = cairn("freshness", "audit-run-entry", "wiki", cwd=root)
    assert audited.code == 1 and "CAIRN_FETCH_ALLOW=10.0.0.7:8080" in audited.err, audited.err
