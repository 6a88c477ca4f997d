# Everything a person or CI runs. Only python3 and make are needed; the rest is installed in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SOURCE ?= samples
WORLD ?= demo/world
QUERY ?= lighthouse

.PHONY: help setup run test lint fix bench clean

help: ## What there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup: $(READY) ## Install cleanbreak and what its tests need, in .venv

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[tokenizers,tiktoken,watch,parquet]' --group dev
	@touch $@

run: $(READY) ## The main job on the samples, or on your own: make run SOURCE=book.txt QUERY="white whale"
	$(BIN)/cleanbreak ingest "$(WORLD)" "$(SOURCE)"
	$(BIN)/cleanbreak status "$(WORLD)"
	$(BIN)/cleanbreak search "$(WORLD)" "$(QUERY)" --limit 3

test: $(READY) ## All tests, offline and in parallel
	$(BIN)/python -m pytest -n auto --quiet

lint: $(READY) ## Style, types and import rings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(READY) ## Let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## Ratios against peers, printed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	$(BIN)/python -m benchmarks

clean: ## Remove what was made here
	rm -rf $(VENV) demo dist build
