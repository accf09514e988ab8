"""Which edition a text shows."""

import pytest

from cairn.freshness.extractive.edition import newer_edition

NEWER = [
    ("OWASP Top 10:2021", "## OWASP Top 10:2021", "## OWASP Top 10:2025", "OWASP Top 10:2025"),
    ("PCI-DSS v4.0", "PCI-DSS v4.0 applies.", "PCI-DSS v4.1 applies.", "PCI-DSS v4.1"),
    ("Solidity 0.8.x", "Solidity 0.8.20", "Solidity 0.9.1", "Solidity 0.9.x"),
    ("Manifest V3", "Use Manifest V3.", "Use Manifest V4.", "Manifest V4"),
    ("MCP spec 2025-11-25", "MCP 2025-11-25", "MCP specification 2026-03-01 is out", "MCP spec 2026-03-01"),
    ("POSIX.1-2017", "POSIX.1-2017", "POSIX.1-2024", "POSIX.1-2024"),
    ("GraphQL October 2021", "GraphQL October 2021", "GraphQL September 2025", "GraphQL September 2025"),
    ("OpenAPI 3.1 / SQL:2023", "OpenAPI 3.1", "The OpenAPI Specification v3.2", "OpenAPI 3.2 / SQL:2023"),
    ("RFC 7231", "Updates: RFC 2817", "Updates: RFC 2817. Obsoleted by: RFC 9110.", "RFC 9110"),
    ("TypeScript 5.4", "TypeScript 5.4", "TypeScript 5.10 is here", "TypeScript 5.10"),
]
NOT_NEWER = [
    ("Solidity 0.8.x", "Solidity 0.8.20", "Solidity 0.8.26"),
    ("PostgreSQL 16", "PostgreSQL 16", "PostgreSQL 16.4 fixes a bug; PostgreSQL 5432 is a port"),
    ("WCAG 2.1", "WCAG 2.1", "WCAG 3.0 is a working draft"),
    ("Python 3.11", "Python 3.11 and Python 3.12", "Python 3.12 and Python 3.11"),
    ("Python 3.11", "Python 3.11", "Python 3.10"),
    ("OpenAPI 3.1", "OpenAPI 3.1", "OpenAPI Generator 7.2"),
    ("RFC 7231", "RFC 7231", "RFC 9110 is longer than RFC 7231"),
    ("RFC 6749", "RFC 6749", "RFC 9999 replaces RFC 6749."),
    ("SWC Registry", "SWC Registry", "SWC Registry 2"),
    (None, "Python 3.11", "Python 3.12"),
]


@pytest.mark.parametrize(("pin", "old", "new", "instead"), NEWER)
def test_newer(pin: str, old: str, new: str, instead: str) -> None:
    found = newer_edition(pin, old, new)
    assert found is not None
    assert found.instead == instead
    assert found.version in new[found.start : found.end]
    assert found.replaced


def test_a_newer_number_beside_the_pinned_one_replaces_nothing() -> None:
    found = newer_edition("PostgreSQL 16", "PostgreSQL 16 is tested.", "PostgreSQL 16 and PostgreSQL 17 are tested.")
    assert found is not None
    assert not found.replaced


def test_a_newer_number_where_the_pinned_one_never_stood_replaces_nothing() -> None:
    found = newer_edition("PostgreSQL 16", "The database.", "The database is PostgreSQL 17.")
    assert found is not None
    assert not found.replaced


@pytest.mark.parametrize(("pin", "old", "new"), NOT_NEWER)
def test_not_newer(pin: str | None, old: str, new: str) -> None:
    assert newer_edition(pin, old, new) is None
