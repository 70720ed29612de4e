# Needs python3 (3.11 or later, with venv) and make; everything else goes into .venv.
export UV_PYTHON_DOWNLOADS := never

PYTHON ?= python3
GAME ?= kings-court
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make pins" pyproject.toml

.PHONY: play test test-long lint bench pins

play: .venv/play
	@$(BIN)/quintain play $(GAME)

test: lint
	$(BIN)/pytest -n auto

test-long: .venv/test
	$(BIN)/pytest -n auto -m long

lint: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/test
	$(BIN)/python benchmarks/playouts.py $(GAME)
	$(BIN)/python benchmarks/search.py $(GAME)

pins: .venv/test
	$(COMPILE) --upgrade --group build -o requirements/play.txt
	$(COMPILE) --upgrade --group test -c requirements/play.txt -o requirements/test.txt
	$(COMPILE) --upgrade --group lab -c requirements/play.txt -c requirements/test.txt -o requirements/lab.txt

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo >&2 \
		"Quintain needs Python 3.11 or later. Name one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo >&2 \
		"$(PYTHON) cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv"; exit 2; }
	$(PYTHON) -m venv .venv

.venv/play: .venv/bin/python requirements/play.txt pyproject.toml
	@echo "Setting Quintain up in .venv (a minute, once)"
	@$(INSTALL) -r requirements/play.txt
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-build-isolation --no-deps --editable .
	@touch $@

.venv/test: .venv/play requirements/test.txt requirements/lab.txt
	@$(INSTALL) -r requirements/test.txt -r requirements/lab.txt
	@touch $@
