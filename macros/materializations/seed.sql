{#
  The materialization of the project's seeds: dbt's, but it keeps a table that was loaded from the same file.

  dbt drops and creates a seed in each run. For two seconds no other run finds the table. A table that
  somebody has changed has another version, and is loaded again. A project that installs this
  package keeps dbt's own materialization. --full-refresh loads the seed again.
#}
{% materialization seed, adapter='spark' %}
    {%- set content = model.checksum.checksum ~ tojson(config.get('column_types', {})) -%}
    {%- if not should_full_refresh() and load_relation(this) is not none -%}
        {%- set version = kafka_cdc.get_latest_version(this, is_fresh=false) -%}
        {%- if kafka_cdc.is_recorded_fingerprint(model.name, local_md5(content ~ version)[:10]) -%}
            {%- do kafka_cdc.get_run_memory().setdefault('unchanged_seeds', []).append(this | string) -%}
            {%- do store_result('agate_table', response='OK', agate_table=load_agate_table()) -%}
            {{ return(kafka_cdc.skip_materialization(this, 'unchanged')) }}
        {%- endif -%}
    {%- endif -%}

    {%- do kafka_cdc.begin_change(model.name) -%}
    {%- set result = materialization_seed_default() -%}
    {%- set version = kafka_cdc.get_latest_version(this) -%}
    {%- do kafka_cdc.record_fingerprint(model.name, local_md5(content ~ version)[:10]) -%}
    {{ return(result) }}
{% endmaterialization %}
