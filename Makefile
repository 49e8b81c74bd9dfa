# `make run` shows what the project does, `make test` checks everything. Both need Python 3.10 to 3.13 and Java 17.
SHELL := /bin/bash
# The Python of .venv. If it is empty, the first of python3.11, 3.12, 3.13 and 3.10 that works.
PYTHON ?=
BIN := .venv/bin
UV := uv==0.13.9
STEP := @profiles/setup_step.sh

.PHONY: help run demo-live test test-delta pytest-delta test-long test-sources pytest pytest-formats pytest-runs lint docs report bench bench-peers setup check-machine airflow
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

check-machine:
	@profiles/check_machine.sh "$(PYTHON)" > /dev/null

setup: check-machine .venv/ready .venv/package .jars/ready .jars/spark.jsa ## install the pinned Python packages in .venv and the Spark jars in .jars

.venv/ready: requirements.lock
	$(STEP) "1/3 Python packages" .venv '\
		rm -rf .venv; "$$(profiles/check_machine.sh "$(PYTHON)")" -m venv .venv; \
		$(BIN)/pip install --disable-pip-version-check --no-deps $(UV); \
		$(BIN)/uv pip install --python $(BIN)/python --no-deps --requirement requirements.lock'
	@touch $@

# The package kafka_cdc itself, and what `. .venv/bin/activate` sets for dbt in other folders.
.venv/package: pyproject.toml profiles/activate.sh .venv/ready
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@grep -q KAFKA_CDC_HOME $(BIN)/activate || cat profiles/activate.sh >> $(BIN)/activate
	@touch $@

.jars/ready: ivy.xml profiles/metastore/package-kafka_cdc.orm .venv/ready
	$(STEP) "2/3 Spark jars" .jars '\
		mkdir -p .jars; rm -f .jars/*; \
		$${JAVA_HOME:+$$JAVA_HOME/bin/}java -jar .venv/lib/python3.*/site-packages/pyspark/jars/ivy-2.5.3.jar -warn -ivy ivy.xml \
			-confs spark -types jar bundle -retrieve ".jars/[artifact]-[revision].[ext]"; \
		$(BIN)/python -m zipfile -c .jars/metastore-mapping.jar profiles/metastore/package-kafka_cdc.orm'
	@touch $@

.jars/spark.jsa: .jars/ready .venv/package
	$(STEP) "3/3 Class archive for a fast start of Spark" $@ '\
		rm -f $@; $(BIN)/python -m kafka_cdc.class_data_sharing || echo "Spark will start slower"'
	@touch $@

airflow: setup .airflow/ready ## install the pinned Airflow and Cosmos in .airflow, and parse the project for them (docs/airflow.md)
	@$(BIN)/dbt --quiet parse

.airflow/ready: dags/requirements.lock .venv/ready
	$(STEP) "Airflow packages" .airflow '\
		rm -rf .airflow; "$$(profiles/check_machine.sh "$(PYTHON)")" -m venv .airflow; \
		$(BIN)/uv pip install --python .airflow/bin/python --no-deps --requirement dags/requirements.lock'
	@touch $@

run: setup ## land sample messages of every format, build, and show the tables
	@$(BIN)/kafka-cdc demo

demo-live: setup ## watch for a minute: PostgreSQL changes, Debezium, Kafka, landing, dbt, current_state
	@PYTHONPATH=tests $(BIN)/python -m sources.live

test: setup ## everything that CI runs, on two cores
	@$(MAKE) --no-print-directory -j2 lint pytest-formats pytest-runs pytest-delta

pytest: setup
	@$(BIN)/python -m pytest

# The tests in two processes, as one Spark session uses little more than one core: a cluster and what formats, settings, state and monitoring say, and all else.
FORMAT_TESTS := tests/cluster tests/decode tests/golden tests/project tests/property $(patsubst %,tests/integration/test_%.py,monitoring maintenance forget_row tombstones)
pytest-formats: setup
	@$(BIN)/python -m pytest $(FORMAT_TESTS)

pytest-runs: setup
	@$(BIN)/python -m pytest $(addprefix --ignore=,$(FORMAT_TESTS))

# On Delta tables: every case, another project, what maintenance and forgetting leave, and commits of landing on a condition. test-delta: all that does not make an
# Iceberg lake of its own, and with KAFKA_CDC_LONG=1 the long ones of these.
pytest-delta: setup
	@KAFKA_CDC_FILE_FORMAT=delta $(BIN)/python -m pytest tests/golden tests/project/test_consumer.py tests/landing/test_small.py $(patsubst %,tests/integration/test_%.py,maintenance forget_row)

test-delta: setup ## the tests on Delta tables
	@KAFKA_CDC_FILE_FORMAT=delta $(BIN)/python -m pytest $(addprefix --ignore=tests/,airflow cluster end_to_end)

test-long: setup ## the tests that take long too: more histories, kills, two gigabytes
	@KAFKA_CDC_LONG=1 $(BIN)/python -m pytest

test-sources: setup ## real databases end to end: PostgreSQL, MariaDB, Debezium, Canal
	@KAFKA_CDC_SOURCES=1 $(BIN)/python -m pytest tests/end_to_end

# The model events holds the SQL of every format; the views of staging say it once more, so that two of them stand for all.
LINTED := models/changelog models/monitoring models/raw models/state models/staging/stg_canal__events.sql models/staging/stg_huawei_drs_avro__events.sql
lint: setup ## the SQL as dbt compiles it
	@$(BIN)/python .ci/lint.py lint $(LINTED) --processes 1 2> >(grep -v -E "incubator modules|log level" >&2)

docs: setup ## one HTML file with every model and column: target/static_index.html
	@$(BIN)/dbt docs generate --static

report: setup ## what the lake holds
	@$(BIN)/kafka-cdc report

bench: setup ## ratios of speed and bytes within one run: benchmarks/RESULTS.md
	@$(BIN)/python -m benchmarks

.peers/ready: benchmarks/peers/requirements.lock .venv/ready
	$(STEP) "Peers of the benchmark" .peers '\
		rm -rf .peers; python3.11 -m venv .peers; \
		$(BIN)/uv pip install --python .peers/bin/python --no-deps --requirement $<'
	@touch $@

bench-peers: setup .peers/ready ## our flattening beside Flink's formats on the same bytes: benchmarks/peers/RESULTS.md
	@$(BIN)/python -m benchmarks.peers
