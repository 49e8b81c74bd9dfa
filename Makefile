# `make run` shows everything, `make test` checks everything. Both need Python 3.11 and Java 17, nothing else.
SHELL := /bin/bash
PYTHON ?= python3.11
BIN := .venv/bin
SITE = $(BIN)/../lib/python3.11/site-packages

.PHONY: help run demo-live check test-fast test test-delta pytest-delta test-long test-sources pytest pytest-iceberg lint docs docs-lock report bench bench-peers setup check-machine airflow
help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

check-machine:
	@profiles/check_machine.sh "$(PYTHON)"

setup: check-machine .venv/ready .jars/ready .jars/spark.jsa ## .venv with the pinned packages, .jars with the pinned Spark jars

.venv/ready: requirements.lock
	@echo "==> installing the pinned Python packages into .venv (about a minute)"
	@rm -rf .venv && $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.lock
	@printf '../../../..\nimport landing.environment\n' > $(SITE)/kafka_cdc.pth
	@touch $@

.jars/ready: ivy.xml profiles/metastore/package-kafka_cdc.orm .venv/ready
	@echo "==> fetching the Spark jars into .jars (90 MB)"
	@mkdir -p .jars && rm -f .jars/*
	@$${JAVA_HOME:+$$JAVA_HOME/bin/}java -jar $(SITE)/pyspark/jars/ivy-2.5.3.jar -warn -ivy ivy.xml -confs spark -types jar bundle \
		-retrieve '.jars/[artifact]-[revision].[ext]'
	@$(BIN)/python -m zipfile -c .jars/metastore-mapping.jar profiles/metastore/package-kafka_cdc.orm
	@touch $@

.jars/spark.jsa: .jars/ready
	@echo "==> preparing a fast start of Spark (about a minute, once)"
	@rm -f $@ && $(BIN)/python -m landing.warm_start || echo "    it will start slower"
	@touch $@

airflow: setup .airflow/ready ## .airflow with the pinned Airflow and Cosmos (docs/airflow.md), and dbt's manifest for them
	@$(BIN)/dbt --quiet parse

.airflow/ready: dags/requirements.lock
	@echo "==> installing the pinned packages of Airflow into .airflow (a minute or two)"
	@rm -rf .airflow && $(PYTHON) -m venv .airflow
	@.airflow/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement dags/requirements.lock
	@touch $@

run: setup ## land the sample messages of every format, build, show the result
	@$(BIN)/python -m landing.demonstration

demo-live: setup ## watch for a minute: PostgreSQL changes, Debezium, Kafka, landing, dbt, current_state
	@PYTHONPATH=tests/helpers $(BIN)/python -m sources.live

# Tests are chosen by markers (pyproject.toml lists them). Tests marked slow or sources need --long or their own target.
PYTEST = $(BIN)/python -m pytest

check: .venv/ready ## in a minute, without Java: format, lint, types, rules, prose, dbt parse
	@$(MAKE) --no-print-directory -j2 check-python parse rules prose

TYPED := $(wildcard src/kafka_cdc landing) dags

.PHONY: check-python parse rules prose
check-python:
	@$(BIN)/ruff format --check --quiet $(TYPED)
	@$(BIN)/ruff check --quiet $(TYPED)
	@$(BIN)/mypy $(TYPED)

parse:
	@$(BIN)/dbt --quiet parse --target-path target/check

rules:
	@$(PYTEST) -m rules

prose:
	@$(BIN)/codespell

test-fast: setup ## in five minutes: golden cases, decoders, settings, rules
	@$(PYTEST) -m "golden or decoders or unit or rules"

# The browser tests open the documentation in Chromium. Without root, install it before `make test`.
.PHONY: browser
browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium >/dev/null; } \
		|| { echo "make test needs the command chromium. Hint: install your system's package chromium" >&2; exit 1; }

test: setup browser ## everything that CI runs, on two cores
	@$(MAKE) --no-print-directory -j2 lint pytest-delta pytest-iceberg

# Two processes with a Spark session each. A file's tests stay in one process, because they share what they build.
pytest-iceberg: setup
	@$(PYTEST) --numprocesses 2 --dist loadfile --no-loadscope-reorder

pytest-delta: setup
	@KAFKA_CDC_FILE_FORMAT=delta $(PYTEST) -m delta

pytest: setup
	@$(PYTEST)

test-delta: setup ## the tests on Delta tables
	@KAFKA_CDC_FILE_FORMAT=delta $(PYTEST) -m "not airflow and not cluster and not end_to_end"

test-long: setup ## the slow tests too: more histories, kills, two gigabytes
	@$(PYTEST) --long

test-sources: setup ## real databases end to end: PostgreSQL, MariaDB, Debezium, Canal
	@$(PYTEST) -m sources

# The model events holds the SQL of every format. Each staging view repeats a part of it, so two of them stand for all.
LINTED := models/sources models/events models/gates models/intermediate models/marts models/monitoring models/staging/stg_canal__events.sql models/staging/stg_huawei_drs_avro__events.sql
lint: setup ## the SQL as dbt compiles it
	@$(BIN)/python .ci/lint.py lint $(LINTED) --processes 1 2> >(grep -v -E "incubator modules|log level" >&2)

.docs/ready: docs/requirements.lock tools/docs_site/assets.py
	@echo "==> installing the pinned packages of the documentation site into .docs"
	@rm -rf .docs && $(PYTHON) -m venv .docs
	@.docs/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement docs/requirements.lock
	@.docs/bin/python -m tools.docs_site.assets .docs/assets
	@touch $@

# dbt's own page needs no lake: the types of the columns are in the properties files.
docs: .venv/ready .docs/ready ## the documentation site: site/index.html, to be read without a network
	@echo "==> dbt's documentation"
	@$(BIN)/dbt --quiet parse
	@$(BIN)/dbt --quiet docs generate --static --empty-catalog --no-compile
	@echo "==> the site"
	@set -o pipefail; NO_MKDOCS_2_WARNING=1 .docs/bin/mkdocs build --strict 2>&1 | sed '/^INFO/d'
	@echo "site/index.html"

docs-lock: ## docs/requirements.lock from docs/requirements.in, with uv
	@uv pip compile --quiet --universal --python-version 3.10 --no-emit-index-url --no-emit-find-links \
		docs/requirements.in --output-file docs/requirements.lock

report: setup ## what the lake holds
	@$(BIN)/python -m landing.demonstration --no-build

bench: setup ## ratios of speed and bytes within one run: benchmarks/RESULTS.md
	@$(BIN)/python -m benchmarks

.peers/ready: benchmarks/peers/requirements.lock
	@echo "==> installing the peers that the benchmark compares with into .peers (about two minutes, 900 MB)"
	@rm -rf .peers && $(PYTHON) -m venv .peers
	@.peers/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	@touch $@

bench-peers: setup .peers/ready ## our flattening beside Flink's formats on the same bytes: benchmarks/peers/RESULTS.md
	@$(BIN)/python -m benchmarks.peers
