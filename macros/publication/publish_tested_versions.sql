{#
  Pre-hook of changelog: publishes the tables of a run together, after their tests have passed.

  Only versions that this run has recorded (record_tested_version) are published. It raises an error
  and publishes nothing if another run has written to one of the tables since, because nobody tested
  the result of both. If that happens between two of the statements that publish, it stops there. The
  typed tables would otherwise count events as read that are not published.
  If this run did not build a table, `dbt run` publishes its latest version and
  `dbt build` keeps the published one. The public views are refreshed first (refresh_public_views).

  Example of its log line, which the Airflow DAG reads:
    published: event_batch_stats=62719, table_holds=51224, events=81345, merged_rows=77120

  Arguments:
    tables (list[relation]): event_batch_stats, table_holds, events and merged_rows.
#}
{% macro publish_tested_versions(tables) %}
    {%- if execute and flags.WHICH in ['run', 'build'] -%}
        {%- set memory = kafka_cdc.get_run_memory() -%}
        {%- set existing, unpublished = [], [] -%}
        {%- for table in tables if load_relation(table) is not none -%}
            {%- do existing.append(table) -%}
            {%- set version = kafka_cdc.get_versions(table) -%}
            {%- if version.latest != version.published or (table | string) in memory.get('written_tables', []) -%}
                {%- do unpublished.append(table) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if unpublished -%}
            {%- do kafka_cdc.refresh_versions(existing) -%}
        {%- endif -%}

        {%- set recorded = memory.get('tested_versions', {}) -%}
        {%- set published, outdated, untested = {}, [], [] -%}
        {%- for table in existing -%}
            {%- set name, version = table.identifier, kafka_cdc.get_versions(table) -%}
            {%- set is_recorded = (table | string) in recorded -%}
            {%- set default = version.latest if flags.WHICH == 'run' else version.published -%}
            {%- set tested = recorded.get(table | string, default) -%}
            {%- do published.update({name: version.published}) -%}
            {%- if version.latest != version.published -%}
                {%- do outdated.append((table, tested)) -%}
            {%- endif -%}
            {%- if version.latest != tested and kafka_cdc.get_equivalent_version(table, tested) is none -%}
                {%- do untested.append(name ~ (' was written by another run' if is_recorded else ' has changes that this run does not test')) -%}
            {%- endif -%}
        {%- endfor -%}

        {%- if untested -%}
            {{ kafka_cdc.raise_error(
                'nothing is published, because ' ~ untested | join(', '),
                'run dbt build again: it publishes everything that passes its tests'
            ) }}
        {%- endif -%}

        {%- do kafka_cdc.get_new_batches(kafka_cdc.get_model_relation('events')) -%}
        {%- if outdated -%}
            {%- do kafka_cdc.refresh_public_views(tables[0], tables[1]) -%}
        {%- endif -%}
        {%- for table, tested in outdated -%}
            {%- set version = kafka_cdc.publish_version(table, tested) -%}
            {%- if version is none -%}
                {{ kafka_cdc.raise_error(
                    'the publication is incomplete, because ' ~ table.identifier ~ ' was written by another run',
                    'run dbt build again: it publishes everything that passes its tests'
                ) }}
            {%- endif -%}
            {%- do published.update({table.identifier: version}) -%}
        {%- endfor -%}
        {%- do log('published: ' ~ published.items() | map('join', '=') | join(', '), info=true) -%}
    {%- endif -%}
{% endmacro %}
