# Needs python3 (3.11 or later, with venv) and make; everything else goes into .venv.
export UV_PYTHON_DOWNLOADS := never
# Where it is set, as in many containers, each process compiles every module that it imports anew: a second and more.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
GAME ?= kings-court
BIN := .venv/bin
ASSETS := src/quintain/server/pages/static/vendor/arms.svg
LIBRARIES := src/quintain/libraries/index.json
RUNTIME := src/quintain/server/browser/runtime/pyodide.mjs
WASM := .venv/wasm/index.json
RULES := $(addprefix src/quintain/,bots engine envs games)
COMPILED := tools/libraries.py tools/libraries.c src/quintain/cli/compile.py $(shell find $(RULES) -name '*.py')
# Without --no-compile, pip would compile every module to bytecode; Python compiles those it imports anyway.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile --require-hashes
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make pins"
PACKAGES ?= engine games conformance lab envs libraries server docs
LONG = $(PACKAGES:%=test-long-%)
EXTRAS := --extra server --extra ray --extra pettingzoo --extra gymnasium --extra openspiel --extra train

.PHONY: play setup lab libraries site docs test test-long $(LONG) lint bench screenshots pins dist release

play: .venv/play $(ASSETS)
	@$(BIN)/quintain serve --open --compile --log-level warning

setup: .venv/play $(ASSETS)

lab: .venv/lab

libraries: $(LIBRARIES)

# -W: a warning is an error, and so is a dead link; -E: read every page anew.
# The games to try go into its folder `play`, with the one that the tutorial makes.
docs: .venv/docs $(ASSETS) $(RUNTIME) $(WASM)
	$(BIN)/sphinx-build -q -E -W --keep-going -c docs -d .venv/doctrees . site
	@sed -n '/^```python$$/,/^```$$/p' docs/tutorial.md | grep -v '^```' > .venv/goofspiel.py
	@QUINTAIN_LIBRARIES=$(dir $(WASM)) $(BIN)/quintain site site/play --game-file .venv/goofspiel.py
	@echo "The site is in site/index.html; to play in it, type: python3 -m http.server -d site"

test: lint $(ASSETS)
	$(BIN)/pytest -n auto --dist worksteal --costs --compile-first

test-long: $(LONG)

$(LONG): .venv/test $(ASSETS)
	$(BIN)/pytest -v -n auto --dist worksteal --costs --compile-first -m long --note .venv/$@ $(if $(AGAIN),--again) \
		$(if $(filter %-docs,$@),tests/test_*.py,$(@:test-long-%=tests/%))

# Its tests of the games without a server open what `make site` writes.
test-long-server: $(RUNTIME) $(WASM)

lint: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/test
	$(BIN)/python benchmarks/playouts.py $(GAME)
	$(BIN)/python benchmarks/search.py $(GAME)

screenshots: .venv/test $(ASSETS)
	$(BIN)/python tools/screenshots.py screenshots

# The source distribution and the wheel, with the files for browsers and the libraries.
dist: .venv/test $(ASSETS) $(LIBRARIES)
	rm -f dist/quintain-*
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python

# Everything that a new version needs, into dist; CONTRIBUTING.md says what to do before and after.
release: test docs $(LIBRARIES)
	$(BIN)/python tools/release.py

pins: .venv/test
	$(COMPILE) --upgrade pyproject.toml --extra server --extra compiler --group build -o requirements/play.txt
	$(COMPILE) --upgrade pyproject.toml $(EXTRAS) -c requirements/play.txt -o requirements/lab.txt
	$(COMPILE) --upgrade --group pyproject.toml:libraries -o requirements/libraries.txt
	$(COMPILE) --upgrade --group pyproject.toml:docs -c requirements/play.txt -c requirements/lab.txt -o requirements/docs.txt
	$(COMPILE) --upgrade pyproject.toml $(EXTRAS) --group test --group notebook --group peers --group learners --group libraries \
		--group docs --group release -c requirements/play.txt -c requirements/lab.txt -c requirements/libraries.txt \
		-c requirements/docs.txt -o requirements/test.txt
	$(COMPILE) --upgrade --group pyproject.toml:node -o requirements/node.txt
	$(COMPILE) --group pyproject.toml:site -c requirements/play.txt -o requirements/site.txt

# The games without a server, as files for any web space.
site: .venv/play $(ASSETS) $(RUNTIME) $(WASM)
	@QUINTAIN_LIBRARIES=$(dir $(WASM)) $(BIN)/quintain site www
	@echo "The games are in www: put the folder on any web space, or type: python3 -m http.server -d www"

# Python for browsers and what it imports there, pinned by hash.
$(RUNTIME): .venv/play package-lock.json requirements/site.txt tools/runtime.py
	@command -v npm >/dev/null || $(INSTALL) -r requirements/node.txt
	@$(BIN)/python tools/runtime.py

# The files for browsers that git ignores: fonts, icons and htmx from npm, and the games' arms and style sheets.
$(ASSETS): .venv/play package-lock.json tools/assets.py src/quintain/server/pages/heraldry.py src/quintain/server/pages/coats.py \
		$(wildcard src/quintain/games/*/heraldry.toml src/quintain/games/*/board.css)
	@command -v npm >/dev/null || $(INSTALL) -r requirements/node.txt
	@$(BIN)/python tools/assets.py

# The games compiled ahead of time for all platforms, which git ignores, too.
$(LIBRARIES): .venv/libraries $(COMPILED)
	$(BIN)/python tools/libraries.py

# Those for browsers alone.
$(WASM): .venv/libraries $(COMPILED)
	$(BIN)/python tools/libraries.py --platforms wasm32 --folder $(dir $(WASM))

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

.venv/lab: .venv/play requirements/lab.txt
	@$(INSTALL) -r requirements/lab.txt
	@touch $@

.venv/libraries: .venv/play requirements/libraries.txt
	@$(INSTALL) -r requirements/libraries.txt
	@touch $@

.venv/docs: .venv/lab requirements/docs.txt
	@$(INSTALL) -r requirements/docs.txt
	@touch $@

.venv/test: .venv/play requirements/test.txt
	@$(INSTALL) -r requirements/test.txt
	@touch $@
