# `make run` shows everything, `make test` checks everything. Both need Python 3.11 and Java 17, nothing else.
SHELL := /bin/bash
PYTHON ?= python3.11
BIN := .venv/bin
SITE = $(BIN)/../lib/python3.11/site-packages

.PHONY: help run demo-live test test-delta pytest-delta test-long test-sources pytest pytest-formats pytest-runs lint docs report bench bench-peers setup check airflow
help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

check:
	@profiles/check_machine.sh "$(PYTHON)"

setup: check .venv/ready .jars/ready .jars/spark.jsa ## .venv with the pinned packages, .jars with the pinned Spark jars

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
	@PYTHONPATH=tests $(BIN)/python -m sources.live

test: setup ## everything that CI runs, on two cores
	@$(MAKE) --no-print-directory -j2 lint pytest-formats pytest-runs pytest-delta

pytest: setup
	@$(BIN)/python -m pytest

# The tests in two processes, as one Spark session uses little more than one core: a cluster and what formats, settings, state and monitoring say, and all else.
FORMAT_TESTS := tests/cluster tests/decode tests/golden tests/project tests/property $(patsubst %,tests/integration/test_%.py,monitoring maintenance erase_row tombstones)
pytest-formats: setup
	@$(BIN)/python -m pytest $(FORMAT_TESTS)

pytest-runs: setup
	@$(BIN)/python -m pytest $(addprefix --ignore=,$(FORMAT_TESTS))

# On Delta tables: every case, another project, what maintenance and forgetting leave, and commits of landing on a condition. test-delta: all that does not make an
# Iceberg lake of its own, and with KAFKA_CDC_LONG=1 the long ones of these.
pytest-delta: setup
	@KAFKA_CDC_FILE_FORMAT=delta $(BIN)/python -m pytest tests/golden tests/project/test_consumer.py tests/landing/test_small.py $(patsubst %,tests/integration/test_%.py,maintenance erase_row)

test-delta: setup ## the tests on Delta tables
	@KAFKA_CDC_FILE_FORMAT=delta $(BIN)/python -m pytest $(addprefix --ignore=tests/,airflow cluster end_to_end)

test-long: setup ## the tests that take long too: more histories, kills, two gigabytes
	@KAFKA_CDC_LONG=1 $(BIN)/python -m pytest

test-sources: setup ## real databases end to end: PostgreSQL, MariaDB, Debezium, Canal
	@KAFKA_CDC_SOURCES=1 $(BIN)/python -m pytest tests/end_to_end

# The model events holds the SQL of every format; the views of staging say it once more, so that two of them stand for all.
LINTED := models/sources models/events models/gates models/intermediate models/marts models/monitoring models/staging/stg_canal__events.sql models/staging/stg_huawei_drs_avro__events.sql
lint: setup ## the SQL as dbt compiles it
	@$(BIN)/python .ci/lint.py lint $(LINTED) --processes 1 2> >(grep -v -E "incubator modules|log level" >&2)

docs: setup ## one HTML file with every model and column: target/static_index.html
	@$(BIN)/dbt docs generate --static

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
