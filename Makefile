# `make run` shows what the project does, `make test` checks everything. Both need Python 3.10 to 3.13 and Java 17 or 21.
SHELL := /bin/bash
# The Python of .venv. If it is empty, the first of python3.11, 3.12, 3.13 and 3.10 that works.
PYTHON ?=
BIN := .venv/bin
UV := uv==0.13.9
STEP := @profiles/setup_step.sh

.PHONY: help run demo-live check test-fast test test-delta pytest-delta test-long test-sources test-readers test-trino pytest pytest-iceberg lint docs docs-lock report bench bench-peers setup check-machine airflow
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

check-machine:
	@profiles/check_machine.sh "$(PYTHON)" > /dev/null

setup: check-machine .venv/ready .venv/package .jars/ready .jars/spark.jsa ## install the pinned Python packages in .venv and the Spark jars in .jars

# What `make run` and a laptop need. The locks are written by the command in their second line.
.venv/base: requirements.lock
	$(STEP) "Python packages" .venv '\
		rm -rf .venv; "$$(profiles/check_machine.sh "$(PYTHON)")" -m venv .venv; \
		$(BIN)/pip install --disable-pip-version-check --no-deps $(UV); \
		$(BIN)/uv pip install --python $(BIN)/python --no-deps --requirement requirements.lock'
	@touch $@

# Clusters, lineage, tests and benchmarks need more.
.venv/ready: requirements-dev.lock .venv/base
	$(STEP) "Python packages of clusters and tests" .venv '\
		$(BIN)/uv pip install --python $(BIN)/python --no-deps --requirement requirements-dev.lock'
	@touch $@

# The package kafka_cdc itself, and what `. .venv/bin/activate` sets for dbt in other folders.
.venv/package: pyproject.toml profiles/activate.sh .venv/base
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@grep -q KAFKA_CDC_HOME $(BIN)/activate || cat profiles/activate.sh >> $(BIN)/activate
	@touch $@

.jars/ready: ivy.xml profiles/metastore/package-kafka_cdc.orm .venv/base
	$(STEP) "Spark jars" .jars '\
		mkdir -p .jars; rm -f .jars/*; \
		$${JAVA_HOME:+$$JAVA_HOME/bin/}java -jar .venv/lib/python3.*/site-packages/pyspark/jars/ivy-2.5.3.jar -warn -ivy ivy.xml \
			-confs spark -types jar bundle -retrieve ".jars/[artifact]-[revision].[ext]"; \
		$(BIN)/python -m zipfile -c .jars/metastore-mapping.jar profiles/metastore/package-kafka_cdc.orm'
	@touch $@

.jars/spark.jsa: .jars/ready .venv/package
	$(STEP) "Class archive for a fast start of Spark" $@ '\
		rm -f $@; $(BIN)/python -m kafka_cdc.class_data_sharing || echo "Spark will start slower"'
	@touch $@

airflow: .venv/package .jars/ready .airflow/ready ## install the pinned Airflow and Cosmos in .airflow, and parse the project for them (docs/guides/airflow.md)
	@$(BIN)/dbt --quiet parse

.airflow/ready: dags/requirements.lock .venv/base
	$(STEP) "Airflow packages" .airflow '\
		rm -rf .airflow; "$$(profiles/check_machine.sh "$(PYTHON)")" -m venv .airflow; \
		$(BIN)/uv pip install --python .airflow/bin/python --no-deps --requirement dags/requirements.lock'
	@touch $@

run: check-machine .venv/package .jars/ready ## land sample messages of every format, build, and show the tables
	@$(BIN)/kafka-cdc demo

demo-live: setup ## watch for a minute: PostgreSQL changes, Debezium, Kafka, landing, dbt, current_state
	@PYTHONPATH=tests/helpers $(BIN)/python -m sources.live

# Tests are chosen by markers (pyproject.toml lists them). Tests marked slow or sources need --long or their own target.
PYTEST = $(BIN)/python -m pytest

check: .venv/ready .venv/package ## in a minute, without Java: format, lint, types, rules, prose, dbt parse
	@$(MAKE) --no-print-directory -j2 check-python parse rules prose

FORMATTED := src dags benchmarks tests tools .ci

.PHONY: check-python parse rules prose
check-python:
	@$(BIN)/ruff format --check --quiet $(FORMATTED)
	@$(BIN)/ruff check --quiet $(FORMATTED)
	@$(BIN)/mypy --no-error-summary

parse:
	@$(BIN)/dbt --quiet parse --no-partial-parse --target-path target/check

rules:
	@$(PYTEST) -m rules

prose:
	@$(BIN)/codespell

test-fast: setup ## in five minutes: golden cases, decoders, settings, rules
	@$(PYTEST) -m "golden or decoders or unit or rules"

test: setup ## everything that CI runs, on two cores
	@$(MAKE) --no-print-directory -j2 lint pytest-delta pytest-iceberg

# Two processes with a Spark session each. A file's tests stay in one process, because they share what they build.
pytest-iceberg: setup
	@$(PYTEST) --numprocesses 2 --dist loadfile --no-loadscope-reorder

pytest-delta: setup
	@KAFKA_CDC_FILE_FORMAT=delta $(PYTEST) -m delta tests/integration tests/landing

pytest: setup
	@$(PYTEST)

test-delta: setup ## the tests on Delta tables
	@KAFKA_CDC_FILE_FORMAT=delta $(PYTEST) -m "not airflow and not cluster and not end_to_end"

# What depends on the table format, and that `make test-delta` does not run.
LONG_ON_DELTA := delta or delta_long or slow and (integration or landing)

test-long: setup ## the slow tests too: more histories, kills, two gigabytes
	@$(MAKE) --no-print-directory lint LINTED=models/parsed/events.sql
	@$(PYTEST) --long
	@KAFKA_CDC_FILE_FORMAT=delta KAFKA_CDC_KILLS=0.2 $(PYTEST) --long -m "$(LONG_ON_DELTA)" -k "not gigabytes"

test-sources: setup ## real databases end to end: PostgreSQL, MariaDB, Debezium, Canal
	@KAFKA_CDC_SOURCES=1 $(PYTEST) -m sources

.readers/ready: tests/engines/requirements.lock .venv/ready
	$(STEP) "Polars and ClickHouse" .readers '\
		rm -rf .readers; $(BIN)/uv pip install --python $(BIN)/python --no-deps --target .readers --requirement $<'
	@touch $@

test-readers: setup .readers/ready ## typed tables read with Polars and ClickHouse too (720 MB), on Iceberg and Delta
	@PYTHONPATH=.readers KAFKA_CDC_READERS=all $(PYTEST) tests/integration/test_engines_read_typed_tables.py
	@PYTHONPATH=.readers KAFKA_CDC_READERS=all KAFKA_CDC_FILE_FORMAT=delta $(PYTEST) tests/integration/test_engines_read_typed_tables.py

.trino/ready: tests/engines/trino.xml .venv/ready
	$(STEP) "Trino" .trino '\
		rm -rf .trino; mkdir .trino; \
		$${JAVA_HOME:+$$JAVA_HOME/bin/}java -jar .venv/lib/python3.*/site-packages/pyspark/jars/ivy-2.5.3.jar -warn -ivy $< \
			-types tar.gz -retrieve ".trino/[artifact]-[revision].[ext]"; \
		tar -xzf .trino/*.tar.gz -C .trino; rm .trino/*.tar.gz'
	@touch $@

test-trino: setup .trino/ready ## typed tables read with Trino (2 GB), on Iceberg and Delta; needs Java 24 or later
	@KAFKA_CDC_TRINO=1 $(PYTEST) tests/integration/test_engines_read_typed_tables.py tests/integration/test_trino_shares_the_catalog.py -k "trino or marks" -rs
	@KAFKA_CDC_TRINO=1 KAFKA_CDC_FILE_FORMAT=delta $(PYTEST) tests/integration/test_engines_read_typed_tables.py -k "trino or marks" -rs

# The model events holds the SQL of every format: sqlfluff takes longer for it than for all others. `make test-long`
# checks it. Each staging view repeats a part of it, so two of them stand for all.
LINTED := models/sources models/gates models/intermediate models/marts models/monitoring \
	$(filter-out models/parsed/events.sql,$(wildcard models/parsed/*.sql)) \
	models/staging/stg_canal__events.sql models/staging/stg_huawei_drs_avro__events.sql
# An empty lake, so that the result does not depend on what a developer has landed.
lint: setup ## the SQL as dbt compiles it
	@rm -rf target/lint-lake
	@KAFKA_CDC_LAKE=target/lint-lake $(BIN)/python .ci/lint.py lint $(LINTED) --processes 1 2> >(grep -v -E "incubator modules|log level" >&2)

.docs/ready: docs/requirements.lock tools/docs_site/assets.py .venv/base
	$(STEP) "Packages of the documentation site" .docs '\
		rm -rf .docs; "$$(profiles/check_machine.sh "$(PYTHON)")" -m venv .docs; \
		$(BIN)/uv pip install --python .docs/bin/python --no-deps --requirement docs/requirements.lock; \
		.docs/bin/python -m tools.docs_site.assets .docs/assets'
	@touch $@

# dbt's own page needs no lake: the types of the columns are in the properties files.
docs: .venv/package .docs/ready ## the documentation site: site/index.html, to be read without a network
	@echo "==> dbt's documentation"
	@$(BIN)/dbt --quiet parse
	@$(BIN)/dbt --quiet docs generate --static --empty-catalog --no-compile
	@echo "==> the site"
	@set -o pipefail; NO_MKDOCS_2_WARNING=1 .docs/bin/mkdocs build --strict 2>&1 | sed '/^INFO/d'
	@echo "site/index.html"

docs-lock: .venv/base ## docs/requirements.lock from docs/requirements.in
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.10 --no-emit-index-url --no-emit-find-links \
		docs/requirements.in --output-file docs/requirements.lock

report: .venv/package .jars/ready ## write an HTML page about the lake: target/report.html
	@$(BIN)/kafka-cdc report

bench: setup ## ratios of speed and bytes within one run, an hour: benchmarks/RESULTS.md
	@$(BIN)/python -m benchmarks --record

.peers/ready: benchmarks/peers/requirements.lock .venv/ready
	$(STEP) "Peers of the benchmark" .peers '\
		rm -rf .peers; python3.11 -m venv .peers; \
		$(BIN)/uv pip install --python .peers/bin/python --no-deps --requirement $<'
	@touch $@

# Flink's jars without its Python, and Paimon. pypaimon uses the other packages of .venv.
.paimon/ready: benchmarks/peers/paimon.lock benchmarks/peers/ivy.xml .venv/ready
	$(STEP) "Paimon for the benchmark" .paimon '\
		rm -rf .paimon; $(BIN)/uv pip install --python $(BIN)/python --no-deps --target .paimon/python --requirement $<; \
		$${JAVA_HOME:+$$JAVA_HOME/bin/}java -jar .venv/lib/python3.*/site-packages/pyspark/jars/ivy-2.5.3.jar -warn -ivy benchmarks/peers/ivy.xml \
			-types jar bundle -retrieve ".paimon/jars/[artifact]-[revision].[ext]"'
	@touch $@

bench-peers: setup .peers/ready .paimon/ready ## compare with Flink's formats, Paimon, a streaming MERGE and a dbt model on the same bytes: benchmarks/peers/RESULTS.md
	@$(BIN)/python -m benchmarks.peers
