# ConfLens: the commands of the house.  `make` alone lists them.
#
# Each command installs what it needs: a virtual environment in .venv from requirements.lock, and the
# VS Code client's packages from its own lock.  A stamp file stands for a finished installation, so
# a second run starts at once.  Needed beforehand: Python 3.11+, JDK 17+ with Maven, Node 20+, make.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo "$$name"; break; fi; done)
# How many processes run the Python tests.
JOBS ?= 2
# How long make fuzz draws.
MINUTES ?= 10
VENV := .venv
BIN := $(VENV)/bin
CLIENT := client-vscode
E2E := $(CLIENT)/e2e
EDITOR_VENV := $(VENV)/editor
TUNERS := $(VENV)/tuners
NVIM ?= $(EDITOR_VENV)/bin/nvim
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 $(BIN)/python -m pip
TEST_TOOLS := PYTHONPATH=tests $(BIN)/python

.PHONY: help
help: ## List the commands.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: demo
demo: $(VENV)/.installed ## Run a small service well and badly, name the option behind it; scan a real project (H2).
	@$(TEST_TOOLS) -m corpus.demo

.PHONY: test
test: test-client test-python ## Run every test.

.PHONY: test-python
test-python: $(VENV)/.installed $(TUNERS)/.installed
	@$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

.PHONY: fuzz
fuzz: $(VENV)/.installed ## Run the random tests with new seeds for MINUTES=n; tests/fuzz.json keeps what fails.
	@$(TEST_TOOLS) -m fuzz --minutes $(MINUTES) --jobs $(JOBS)

.PHONY: test-fast
test-fast: $(VENV)/.installed ## Run the tests of an edit-test loop: no processes, no real projects.
	@$(BIN)/python -m pytest --numprocesses $(JOBS) -q $(addprefix tests/,base checking diagnosis facts flow ide layers models operations options program reference render spec)

.PHONY: test-client
test-client: $(CLIENT)/node_modules/.installed
	@cd $(CLIENT) && npm test --silent

.PHONY: editor-test
editor-test: $(VENV)/.installed $(if $(filter $(EDITOR_VENV)/%,$(NVIM)),$(EDITOR_VENV)/.installed) ## Test the server in Neovim and Emacs; NVIM=nvim, EMACS=emacs to take your own.
	@$(TEST_TOOLS) -m editor.run nvim $(NVIM)
	@$(TEST_TOOLS) -m editor.run emacs $(EMACS)

.PHONY: e2e
e2e: vsix $(E2E)/node_modules/.installed ## Test the extension in a real VS Code; ONLY="store trust" chooses tests.
	@$(TEST_TOOLS) -m corpus.fetch velocity h2 >/dev/null
	@cd $(CLIENT) && npm run --silent e2e -- conflens-*.vsix $(E2E_ARGS) $(ONLY)

.PHONY: pictures
pictures: ## The same, and write the pictures of README and walkthrough, client-vscode/images.
	@$(MAKE) --no-print-directory e2e E2E_ARGS="--pictures images"

.PHONY: lint
lint: $(VENV)/.installed $(CLIENT)/node_modules/.installed ## Check style, types and layers.
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@cd $(CLIENT) && npm run --silent lint

.PHONY: format
format: $(VENV)/.installed $(CLIENT)/node_modules/.installed ## Put the sources into the house format.
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format
	@cd $(CLIENT) && npm run --silent format

.PHONY: bench
bench: $(VENV)/.installed ## Measure speed and memory on real projects, as ratios within one run.
	@$(TEST_TOOLS) -m bench.bench $(BENCH_ARGS)

.PHONY: reference
reference: $(VENV)/.installed ## Write the reference pages anew: model rows, settings.
	@$(TEST_TOOLS) -m reference.pages

.PHONY: training
training: $(VENV)/.installed ## Write the training table anew from labels and the sources of all labelled systems.
	@$(TEST_TOOLS) -m corpus.sensitivity.rebuild

.PHONY: vsix
vsix: $(VENV)/.installed $(CLIENT)/node_modules/.installed ## Build the VS Code extension, client-vscode/*.vsix; equal sources give equal bytes.
	@rm -rf $(CLIENT)/server $(CLIENT)/*.vsix
	@$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir $(CLIENT)/server .
	@$(BIN)/python $(CLIENT)/scripts/requirements.py requirements.lock $(CLIENT)/server/requirements.txt
	@cd $(CLIENT) && npm run --silent package
	@$(BIN)/python $(CLIENT)/scripts/repack.py $(CLIENT)/*.vsix

.PHONY: vsix-check
vsix-check: $(VENV)/.installed $(CLIENT)/node_modules/.installed ## Build it twice from copies of the sources, and compare.
	@$(TEST_TOOLS) -m vsix.check

.PHONY: install
install: $(VENV)/.installed ## Only install: afterwards .venv/bin/conflens runs.

.PHONY: lock
lock: $(VENV)/.installed ## Choose versions anew and write requirements.lock.
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip install --quiet pip-tools==7.6.2
	@build/lock/bin/pip-compile --quiet --upgrade --generate-hashes --extra dev --all-build-deps --allow-unsafe \
		--strip-extras --no-annotate --no-header --no-emit-index-url --no-emit-find-links \
		--no-emit-trusted-host --output-file build/lock/requirements.txt pyproject.toml
	@{ head -n 2 requirements.lock; cat build/lock/requirements.txt; } > build/lock/requirements.lock
	@mv build/lock/requirements.lock requirements.lock

.PHONY: clean
clean: ## Remove what was built; the environments stay.
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis $(CLIENT)/out

$(VENV)/.installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "ConfLens needs Python 3.11 or newer on PATH." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing Python packages into $(VENV) ..."
	@$(PIP) install --quiet --require-hashes --requirement requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(EDITOR_VENV)/.installed: $(VENV)/.installed tests/editor/requirements.txt
	@test -x $(EDITOR_VENV)/bin/python || $(PYTHON) -m venv $(EDITOR_VENV)
	@echo "Installing the editor of the editor test into $(EDITOR_VENV) ..."
	@PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 $(EDITOR_VENV)/bin/python -m pip install --quiet --require-hashes \
		--requirement tests/editor/requirements.txt
	@touch $@

$(TUNERS)/.installed: $(VENV)/.installed tests/tuning/requirements.txt
	@test -x $(TUNERS)/bin/python || $(PYTHON) -m venv $(TUNERS)
	@echo "Installing the tuners that conflens space writes for into $(TUNERS) ..."
	@PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 $(TUNERS)/bin/python -m pip install --quiet --require-hashes \
		--requirement tests/tuning/requirements.txt
	@touch $@

$(CLIENT)/node_modules/.installed: $(CLIENT)/package.json $(CLIENT)/package-lock.json
	@command -v npm >/dev/null || { echo "ConfLens needs Node 20 or newer with npm on PATH." >&2; exit 1; }
	@echo "Installing packages of the VS Code client ..."
	@cd $(CLIENT) && npm ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@

# The editor has packages of its own, pinned in its own shrinkwrap; nothing of either is compiled.
$(E2E)/node_modules/.installed: $(E2E)/package.json $(E2E)/package-lock.json
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
		test "$$(id -u)" = 0 -a -x /usr/bin/apt-get || { echo "The tests in VS Code need Chromium: install the package chromium." >&2; exit 1; }; \
		echo "Installing Chromium ..."; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; }
	@echo "Installing the editor of the tests in VS Code ..."
	@cd $(E2E) && npm ci --silent --ignore-scripts --no-audit --no-fund
	@cd $(E2E)/node_modules/code-server/lib/vscode && npm install --silent --omit=dev --ignore-scripts --no-save --no-audit --no-fund
	@touch $@
