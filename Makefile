# Every task of the project. Only python3 and make are needed; the rest is installed in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SOURCE ?= samples
WORLD ?= demo/world
QUERY ?= lighthouse

.PHONY: help setup run test quick lint fix bench clean

help: ## List the tasks
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup: $(READY) ## Install cleanbreak and its development tools in .venv

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[all]' --group dev
	@touch $@

run: $(READY) ## Ingest and search the samples, or your book: make run SOURCE=book.txt QUERY="white whale"
	$(BIN)/cleanbreak ingest "$(WORLD)" "$(SOURCE)"
	$(BIN)/cleanbreak status "$(WORLD)"
	$(BIN)/cleanbreak search "$(WORLD)" "$(QUERY)" --limit 3
	@echo
	@echo 'To see it in the browser: $(BIN)/cleanbreak serve "$(WORLD)"'

test: $(READY) ## Run all tests, offline and in parallel
	$(BIN)/python -m pytest -n auto --quiet

quick: $(READY) ## Run the fast tests, with fewer random examples: less than a minute
	$(BIN)/python -m pytest -n auto --quiet -m "not slow" --hypothesis-profile quick

lint: $(READY) ## Check style, types and imports between the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(READY) ## Repair style with ruff
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## Measure speed against other libraries, as ratios
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	$(BIN)/python -m benchmarks

clean: ## Remove everything that these tasks make
	rm -rf $(VENV) demo dist build
