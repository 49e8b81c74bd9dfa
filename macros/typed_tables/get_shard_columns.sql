{#
  Returns the columns that name the shard of a row, list[string]. Keys may repeat in other shards.

  Arguments:
    request (dict[string, any]): see typed_table_query.
#}
{% macro get_shard_columns(request) %}
    {{ return(['source_database', 'source_schema', 'source_table'] if request.is_sharded else []) }}
{% endmacro %}
