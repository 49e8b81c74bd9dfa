{#
  Returns the names that a typed table adds to the columns of its source, list[string].

  A source column with such a name gets a trailing _. Some more names are taken by the query and by
  its MERGE.

  Arguments:
    request (dict[string, any]): see typed_table_query.
#}
{% macro get_added_columns(request) %}
    {%- set names = [
        'row_values', 'undecoded', 'row_key', 'merged_row_key', 'source_column', 'source_text'
    ] -%}
    {%- for coordinate in kafka_cdc.get_coordinates() if request.rows == 'versions' -%}
        {%- do names.append('merged_' ~ coordinate) -%}
    {%- endfor -%}
    {%- for column in kafka_cdc.get_shard_columns(request) -%}
        {%- do names.append('merged_' ~ column) -%}
    {%- endfor -%}
    {{ return(names + kafka_cdc.get_change_columns(request)) }}
{% endmacro %}
