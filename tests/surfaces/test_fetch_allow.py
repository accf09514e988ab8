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
        ("https://nas.local/", "nas.local:443"),
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


def test_doctor_and_check_agree_about_a_place_that_is_allowed(tmp_path: Path) -> None:
    root = corpus(tmp_path, "http://wiki/page")
    cairn("init", cwd=root)
    assert "can't be used" in cairn("doctor", cwd=root).out
    assert "can't be used" not in cairn("doctor", cwd=root, CAIRN_FETCH_ALLOW="wiki:80").out


@pytest.mark.parametrize(
    "url",
    [
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://instance-data.ec2.internal/latest/",
        "http://metadata/v1/",
        "http://168.63.129.16/",
        "http://169.254.169.254/latest/meta-data/",
        "http://169.254.170.2/v2/credentials/",
        "http://100.100.100.200/latest/",
        "http://192.0.0.192/opc/v2/",
        "http://[fd00:ec2::254]/",
        "http://[fd00:42::42]/",
        "http://[::ffff:169.254.169.254]/",
    ],
)
def test_nobody_is_led_to_the_metadata_service_of_a_cloud(tmp_path: Path, url: str) -> None:
    refused = cairn("freshness", "validate", cwd=corpus(tmp_path, url))
    assert refused.code == 1 and "name a public host" in refused.out, refused.out
    assert "CAIRN_FETCH_ALLOW" not in refused.out + refused.err


def test_an_audit_of_an_intranet_source_names_the_variable(tmp_path: Path) -> None:
    root = corpus(tmp_path, "http://10.0.0.7:8080/page")
    assert cairn("init", cwd=root).code == 0
    audited = cairn("freshness", "audit-run-entry", "wiki", cwd=root)
    assert audited.code == 1 and "CAIRN_FETCH_ALLOW=10.0.0.7:8080" in audited.err, audited.err
