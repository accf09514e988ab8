"""What users and plugins can rely on, apart from commands on a sample: names, options, settings, schemas, tables."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cairn import plugin
from golden.masks import Masks
from program import SCHEMAS, cairn

SOURCE = Path(plugin.__file__).parent


def facts(home: Path) -> dict[str, Any]:
    """In a workspace made below `home`."""
    (home / "README.md").write_text("# Read me\n")
    assert cairn("init", cwd=home).code == 0

    def told(*words: str) -> Any:
        return cairn(*words, "--json", cwd=home, HOME=str(home), CAIRN_HOOK_DETACH="0").json()

    return {
        "public": sorted(plugin.__all__),
        "help": _quiet(told("help")),
        "settings": [
            {name: value for name, value in row.items() if name in ("key", "type", "default", "choices", "localOnly")}
            for row in told("config", "list")["settings"]
        ],
        "settings schema": _without_words(json.loads((SCHEMAS / "settings.schema.json").read_text())),
        "events": [_event(told, type) for type in sorted(one["type"] for one in told("observe", "event")["types"])],
        "event payloads": _without_words(json.loads(_resource("event-payloads.schema.json"))),
        "plugins": [_plugin(told("plugins", "show", one["id"])) for one in told("plugins", "list")["plugins"]],
        "gates": _headings(SCHEMAS.parent / "reference" / "gates.md"),
        "findings": _headings(SCHEMAS.parent / "reference" / "findings.md"),
        "schemas": {file.name: _digest(file.read_bytes()) for file in sorted(SCHEMAS.glob("*.json"))},
    }


def _quiet(value: Any) -> Any:
    """Help without its sentences."""
    masks = Masks({}, ())
    if isinstance(value, dict):
        return {
            name: "<sentence>" if name in ("help", "purpose", "meaning") else _quiet(held)
            for name, held in value.items()
        }
    if isinstance(value, list):
        return [_quiet(one) for one in value]
    return masks.value(value)


def _event(told: Callable[..., Any], type: str) -> dict[str, Any]:
    [event] = told("observe", "event", type, "--fields")["types"]
    return {"type": type, "fields": [{**field, "what": "<sentence>"} for field in event["fields"]]}


def _plugin(shown: Any) -> dict[str, Any]:
    found = shown["plugin"]
    extensions = [{name: one[name] for name in ("id", "kind") if name in one} for one in found["extensions"]]
    return {"id": found["id"], "extensions": extensions}


def _resource(name: str) -> str:
    """A file of the package, wherever it lies in it."""
    [file] = SOURCE.rglob(name)
    return file.read_text("utf-8")


def _without_words(schema: Any) -> Any:
    if isinstance(schema, dict):
        words = ("description", "title", "$comment", "examples")
        return {name: _without_words(held) for name, held in schema.items() if name not in words or not _is_text(held)}
    return [_without_words(one) for one in schema] if isinstance(schema, list) else schema


def _is_text(value: Any) -> bool:
    return not isinstance(value, dict)


def _headings(page: Path) -> list[str]:
    return [line.lstrip("# ") for line in page.read_text("utf-8").splitlines() if line.startswith("##")]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


# --- tables -----------------------------------------------------------------------------------------------------------

_COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE n.nspname = %s AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum
"""
_RULES = """
SELECT c.relname, k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s AND k.contype <> 'n' ORDER BY c.relname, k.conname
"""
_INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = %s ORDER BY indexname"


def _sqlite_tables(database: Path) -> str:
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC, name")
        return _statements(sql for (sql,) in rows)


def _postgres_tables(url: str, schema: str) -> str:
    import psycopg

    with psycopg.connect(url) as connection:
        columns = [" ".join(map(str, row)) for row in connection.execute(_COLUMNS, [schema])]
        rules = [" ".join(map(str, row)) for row in connection.execute(_RULES, [schema])]
        indexes = [sql for (sql,) in connection.execute(_INDEXES, [schema])]
    return _statements([*columns, *rules, *indexes]).replace(schema, "<schema>")


def _postgres_schemas(url: str) -> list[str]:
    import psycopg

    with psycopg.connect(url) as connection:
        return [name for (name,) in connection.execute("SELECT nspname FROM pg_namespace")]


def _statements(texts: Iterable[str]) -> str:
    return "".join(" ".join(text.split()) + "\n" for text in texts)


def tables(home: Path, url: str) -> dict[str, str]:
    """The schemas of both databases, as a first scan makes them."""
    (home / "README.md").write_text("# Read me\n")
    assert cairn("init", cwd=home).code == 0
    before = set(_postgres_schemas(url))
    assert cairn("scan", "--allow-empty", cwd=home, CAIRN_DB=url).code == 0
    made = sorted(set(_postgres_schemas(url)) - before)
    return {
        "sqlite": _sqlite_tables(home / ".cairn" / "cairn.db"),
        "postgres": "".join(_postgres_tables(url, schema) for schema in made),
    }
