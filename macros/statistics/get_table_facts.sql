{#
  Returns what at least one source table of the stream has, a mapping of name to boolean.

  The checks leave out the steps that no table needs. All are true as long as there are no
  statistics.

  Arguments:
    batch_stats (relation): the model event_batch_stats.

  Returns: a mapping of name to boolean (dict[string, boolean]) for
    several_partitions      changes came through several partitions, so that those of a key may have
    unsequenced_partitions  they did, and some of them have no sequence of the vendor
    mixed_sequences         some changes have the vendor's sequence and some do not
    missing_keys            some changes have a key and some do not
#}
{% macro get_table_facts(batch_stats) %}
    {%- set partition -%}
    if(sequenced_changes + unsequenced_changes > 0, struct(kafka_topic, kafka_partition), null)
    {%- endset -%}
    {%- set several_partitions = 'min(' ~ partition ~ ') <> max(' ~ partition ~ ')' -%}
    {%- set conditions = {
        'several_partitions': several_partitions,
        'unsequenced_partitions': several_partitions ~ ' and sum(unsequenced_changes) > 0',
        'mixed_sequences': 'sum(sequenced_changes) > 0 and sum(unsequenced_changes) > 0',
        'missing_keys': 'sum(keyless_changes) > 0 and sum(changes - keyless_changes) > 0',
    } -%}
    {%- set relation = kafka_cdc.get_versioned_relation(batch_stats) -%}
    {%- if relation is none -%}
        {{ return(dict.fromkeys(conditions, true)) }}
    {%- endif -%}

    {#- Two models of a build ask about one version. -#}
    {%- set known = kafka_cdc.get_run_memory().setdefault('table_facts', {}) -%}
    {%- if relation not in known -%}
        {%- set query -%}
            select
                {%- for name in conditions %}
                coalesce(bool_or({{ name }}), false) as {{ name }}{{ ',' if not loop.last }}
                {%- endfor %}
            from (
                select
                    {%- for name, condition in conditions.items() %}
                    {{ condition }} as {{ name }}{{ ',' if not loop.last }}
                    {%- endfor %}
                from {{ relation }}
                group by {{ kafka_cdc.get_table_columns() | join(', ') }}
            ) as tables
        {%- endset -%}
        {%- do known.update({relation: dict(run_query(query).rows[0].dict())}) -%}
    {%- endif -%}
    {{ return(known[relation]) }}
{% endmacro %}
