"""The application: made of settings, lazily, and through the same door for tests."""

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.extension_points import ExtensionRef
from cairn.errors import NotInitialised
from cairn.plugin import Plugin


def app(root: Path, settings: str = "{}", **more: Any) -> App:
    (root / ".cairn").mkdir(exist_ok=True)
    (root / ".cairn/settings.json").write_text(settings)
    given = {"env": {}, "tracked": lambda paths: (), "clock": SettableClock(), **more}
    return build_app(root, **given)


def test_nothing_is_opened_until_it_is_needed(tmp_path: Path):
    made = app(tmp_path)
    made.close()
    assert not (tmp_path / ".cairn/cairn.db").exists()
    with pytest.raises(NotInitialised, match="run `cairn scan` first"):
        made.scanned_store()
    assert not (tmp_path / ".cairn/cairn.db").exists()


def test_a_database_without_a_scan_is_not_a_graph(tmp_path: Path):
    made = app(tmp_path)
    made.open_store().close()
    with pytest.raises(NotInitialised):
        made.scanned_store()
    made.close()


def test_the_place_of_the_store(tmp_path: Path):
    assert app(tmp_path).store_location == tmp_path / ".cairn/cairn.db"
    assert app(tmp_path, db="/elsewhere/x.db").store_location == Path("/elsewhere/x.db")
    url = "postgresql://u@h/db"
    assert app(tmp_path, db=url).store_location == url


def test_the_built_ins_and_none(tmp_path: Path):
    assert [p.id for p in app(tmp_path).registry.providers][-1] == "markdown"
    assert app(tmp_path, built_ins=False, installed=False).registry.extensions == ()


def test_settings_switch_extensions_and_set_them(tmp_path: Path):
    local = '{"plugins": {"core": {"enabled": false, "extensions": {"markdown": {"enabled": true}}}}}'
    made = app(tmp_path)
    (tmp_path / ".cairn/settings.local.json").write_text(local)
    on = [e.qualified for e in app(tmp_path).registry.extensions if e.enabled and e.plugin == "core"]
    assert on == ["core/markdown"]
    assert any(e.enabled for e in made.registry.extensions)


def test_the_environment_switches_whole_kinds_off(tmp_path: Path):
    registry = app(tmp_path, env={"CAIRN_DISABLE_ALL_ANALYZERS": "1"}).registry
    assert (registry.analyzers, len(registry.providers)) == ((), 6)


def test_what_a_plugin_prints_while_it_is_imported_is_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "noisy_extension.py").write_text("print('hello from the import')\nextension = None\n")
    monkeypatch.syspath_prepend(str(folder))
    plugin = Plugin("noisy", "1", "d", (ExtensionRef("analyzer", "x", "noisy_extension"),))
    out = io.StringIO()
    with redirect_stdout(out):
        problems = app(tmp_path, plugins=[plugin]).registry.problems
    sys.modules.pop("noisy_extension", None)
    assert out.getvalue() == ""
    assert [p.message for p in problems] == ["noisy_extension has no object named `extension`"]


def test_a_scan_request_is_made_of_the_settings(tmp_path: Path):
    settings = '{"scan": {"strict": true, "ignore": ["x/"], "max_nodes": 7, "max_file_size_bytes": 2048}}'
    request = app(tmp_path, settings).scan_request(verify=True)
    assert (request.strict, request.ignore, request.max_nodes, request.max_file_size) == (True, ("x/",), 7, 2048)
    assert request.verify
    assert app(tmp_path, settings).scan_request(strict=False).strict is False


def test_tokens_may_be_switched_off(tmp_path: Path):
    assert app(tmp_path).tokenizer is not None
    assert app(tmp_path, '{"scan": {"tokenize": false}}').tokenizer is None


def test_plugins_are_what_a_test_passes(tmp_path: Path):
    assert app(tmp_path, plugins=[]).registry.plugins == ()
