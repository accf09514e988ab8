# Two commands for newcomers: `make demo` and `make test`. Everything they need, they install.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help demo test lint format unit faults faults-selftest fuzz bench contract docs lock clean env hosts

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

env: $(READY)

$(READY): requirements/dev.txt pyproject.toml
	@echo "Setting up $(VENV) (once)…"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Cairn needs Python 3.11 or newer; set PYTHON=python3.x and run make again."; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: env ## run the main commands on a sample repository
	@$(BIN)/cairn demo

test: env lint unit ## everything that continuous integration runs

lint: env ## format, style, types, import rules
	@$(BIN)/ruff format --check --quiet src tests bench docs || { echo "run 'make format'"; exit 1; }
	@$(BIN)/ruff check --quiet src tests bench docs
	@$(BIN)/mypy --no-error-summary
	@said=$$($(BIN)/lint-imports --no-cache 2>&1) || { echo "$$said"; exit 1; }

format: env ## format the code
	@$(BIN)/ruff format --quiet src tests bench docs
	@$(BIN)/ruff check --quiet --fix src tests bench docs

unit: env
	@$(BIN)/python -m compileall -q src # so that no program that a test starts has to do it
	@$(BIN)/python -m pytest -n 2 --dist worksteal

faults: env ## kill Cairn at every moment there is; takes an hour
	@FAULTS=all $(BIN)/python -m pytest -n 2 --dist worksteal -o faulthandler_timeout=7200 tests/faults

faults-selftest: env ## plant bugs, one at a time, and show that the kill tests catch each
	@FAULTS=selftest $(BIN)/python -m pytest -rP -o faulthandler_timeout=1800 tests/faults/test_selftest.py

fuzz: env ## try every function of a text and every pattern with made-up texts, and properties with others; takes half an hour
	@PROPERTIES=random $(BIN)/python -m pytest -n 2 -m hypothesis tests/unit tests/ports tests/surfaces
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-600} $(BIN)/python -m pytest -o faulthandler_timeout=0 tests/fuzz

bench: env ## measure, as ratios in one run
	@$(BIN)/python -m compileall -q src
	@$(BIN)/python bench/scan.py
	@$(BIN)/python bench/hook.py
	@$(BIN)/python bench/tools.py
	@$(BIN)/python bench/notes.py
	@$(BIN)/python bench/ledger.py
	@$(BIN)/python bench/archive.py --events 100000
	@$(BIN)/python bench/jobs.py
	@$(BIN)/python bench/tick.py
	@$(BIN)/python bench/retrieve.py
	@$(BIN)/python bench/validate.py
	@$(BIN)/python bench/links.py
	@$(BIN)/python bench/night.py
	@$(BIN)/python bench/scrub.py
	@$(BIN)/python bench/audit.py
	@$(BIN)/python bench/year.py --every 7

contract: env ## hold our requests against GitHub's own description (needs npm and the network)
	@$(BIN)/python tests/contract/github.py

hosts: env ## run Claude Code, Codex and OpenCode for real against a scripted model (needs npm and the network)
	@$(BIN)/python tests/hosts/run.py $(HOSTS)
	@$(BIN)/python tests/hosts/readers.py $(READERS)

docs: env ## rebuild the generated pages
	@$(BIN)/python docs/build.py

lock: env ## resolve the lock files again
	@$(BIN)/uv pip compile --quiet --no-emit-index-url --generate-hashes --no-header --universal pyproject.toml -o requirements/base.txt
	@$(BIN)/uv pip compile --quiet --no-emit-index-url --generate-hashes --no-header --universal --extra tokens --extra postgres --extra code --extra otel --extra mcp pyproject.toml requirements/dev.in -o requirements/dev.txt

clean: ## remove everything that make made
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache dist
