{#
  Publishes tables together, where a run builds the model that calls it: what this very run has noted (record_tested_version) and its tests have
  passed. The first table is event_batch_stats: the views of the state are widened for it before (refresh_state_views). Stops, and leaves all as it was, where another run has written to one of them since: what both wrote was not tested together.
  Says which snapshots are then published (dags/kafka_cdc_steps.py reads it).
  Where the run does not build a table, `dbt run` publishes what it holds, as it tests nothing anyway, and `dbt build` nothing new.
#}
{% macro publish_tested_versions(tables) %}
    {%- if execute and flags.WHICH in ['run', 'build'] -%}
        {%- set seen, news, untested = {}, [], [] -%}
        {%- for table in tables if load_relation(table) is not none -%}
            {%- set newest = kafka_cdc.get_latest_version(table) -%}
            {%- do seen.update({table.identifier: kafka_cdc.get_published_version(table)}) -%}
            {%- set noted = graph.get('kafka_cdc_snapshots', {}).get((invocation_id, table | string), []) -%}
            {%- set known = noted[0] if noted else newest if flags.WHICH == 'run' else seen[table.identifier] -%}
            {%- if newest != seen[table.identifier] %}{% do news.append((table, known)) %}{% endif -%}
            {%- if newest != known and kafka_cdc.get_equivalent_version(table, known) is none -%}
                {%- do untested.append(table.identifier ~ (' was written by another run meanwhile' if noted else ' has news that this run does not test')) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if untested -%}
            {{ kafka_cdc.raise_error('nothing is published, as ' ~ untested | join(', '), 'say dbt build again: it publishes all that then passes its tests') }}
        {%- endif -%}
        {%- if news %}{% do kafka_cdc.refresh_state_views(tables[0]) %}{% endif -%}
        {%- for table, known in news -%}
            {%- do seen.update({table.identifier: kafka_cdc.publish_version(table, known)}) -%}
        {%- endfor -%}
        {%- do log('published: ' ~ seen.items() | map('join', '=') | join(', '), info=true) -%}
    {%- endif -%}
{% endmacro %}
