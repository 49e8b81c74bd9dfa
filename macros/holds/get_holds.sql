{#
  Returns the holds of a version of table_holds: which source tables are held, and since when.

  Events of a held table that were not published when the hold began are withheld from all public
  models (withheld_condition).

  Example: [{'source_name': 'canal', 'source_tenant': '', 'source_database': 'shop',
    'source_schema': '', 'source_table': 'orders', 'last_published_batch': 55, 'late_batches': [],
    'held_since': 1764059402000000}]

  Arguments:
    table_holds (relation): the model table_holds.
    is_published (boolean): whether to read the published version or the latest.

  Returns: a list of mappings (list[dict[string, any]]), one per held table, sorted. Each has the
    columns that name the table, and
    last_published_batch (integer): the highest landing batch that was published when the hold
      began; none if nothing of the table was.
    late_batches (list[integer]): lower landing batches that were not published and landed before
      the hold began.
    held_since (integer): when the hold began, in microseconds since 1970.
#}
{% macro get_holds(table_holds, is_published=false) %}
    {%- set relation = kafka_cdc.get_versioned_relation(table_holds, is_published) -%}
    {%- if relation is none -%}
        {{ return([]) }}
    {%- endif -%}

    {%- set known = kafka_cdc.get_run_memory().setdefault('holds', {}) -%}
    {%- if relation not in known -%}
        {%- set columns = kafka_cdc.get_table_columns()
            + ['last_published_batch', 'late_batches', 'unix_micros(held_since) as held_since'] -%}
        {%- set query -%}
            select distinct to_json(struct({{ columns | join(', ') }}), map('ignoreNullFields', 'false')) as hold
            from {{ relation }}
            order by hold
        {%- endset -%}
        {%- set holds = [] -%}
        {%- for row in run_query(query).rows -%}
            {%- do holds.append(fromjson(row.hold)) -%}
        {%- endfor -%}
        {%- do known.update({relation: holds}) -%}
    {%- endif -%}
    {{ return(known[relation]) }}
{% endmacro %}
