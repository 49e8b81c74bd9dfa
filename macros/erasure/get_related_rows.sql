{#
  Returns a row and all rows that reference it, directly or through other tables.

  A row counts if one of its events ever had the key or the reference, not only its current state.
  Earlier and later keys of a row belong to it. Rows without a key cannot be found.

  It raises an error in these cases:
    * The table, or a table or column of a reference, does not exist or is ambiguous. That includes two
      tables of a source with one path.
    * The columns of a reference have masks that make their values incomparable.
    * The references form a cycle.

  Arguments:
    table (string): database[.schema].table of the row.
    key (dict[string, any]): the row's key, column to value.
    source (optional[string]): the stream, if several have such a table.
    tenant (optional[string]): the tenant, if several have such a table.

  Returns: a list of tables, referenced ones first, as erase_rows takes them. A table that no row of
    the person is in has no `row_keys`.
#}
{% macro get_related_rows(table, key, source=none, tenant=none) %}
    {%- set events = ref('kafka_cdc', 'events') -%}
    {%- set row_key = run_query('select ' ~ kafka_cdc.get_row_key(table, key)).columns[0].values()[0] -%}
    {%- set root = kafka_cdc.get_table_stream(table, source, tenant) -%}
    {%- set tables = kafka_cdc.get_tables_of_events(events) -%}
    {%- set references = kafka_cdc.get_table_references(tables) -%}
    {%- set root_name = kafka_cdc.get_table_name(root.path, root.tables) -%}
    {%- set order = kafka_cdc.sort_referencing_tables(root_name, references) -%}
    {%- for name in order if tables[name].is_ambiguous -%}
        {{ kafka_cdc.raise_error('several tables have the name ' ~ name, kafka_cdc.get_same_path_hint()) }}
    {%- endfor -%}
    {%- for name in order[1:] if kafka_cdc.has_table_setting('on_rename', ['apply']) -%}
        {%- do kafka_cdc.check_applied_renames(tables[name].path, tables[name].tables.source_name) -%}
    {%- endfor -%}

    {%- set references = references | selectattr('to', 'in', order) | list -%}
    {%- do kafka_cdc.check_referenced_columns(events, references, tables) -%}

    {%- set rows = [] -%}
    {%- for name in order -%}
        {%- set of_table = kafka_cdc.table_condition(tables[name].tables) -%}
        {%- set keys = [row_key] if name == root_name else [] -%}
        {%- for reference in references if reference.from == name -%}
            {%- set values = kafka_cdc._get_referenced_values(events, reference, tables[reference.to]) -%}
            {%- do keys.extend(kafka_cdc._get_referencing_keys(events, reference, of_table, values)) -%}
        {%- endfor -%}
        {%- do tables[name].update({
            'row_keys': kafka_cdc._add_moved_keys(events, of_table, keys | unique | list),
        }) -%}
        {%- do rows.append(tables[name]) -%}
    {%- endfor -%}
    {{ return(rows) }}
{% endmacro %}

{# Returns the values of the referenced columns in the rows of a table, a list of lists. #}
{% macro _get_referenced_values(events, reference, table) %}
    {%- set columns = kafka_cdc._get_image_columns(reference.columns.values()) -%}
    {%- set query -%}
        select distinct to_json(array({{ columns | join(', ') }})) as referenced_values
        from {{ kafka_cdc.row_images(events, kafka_cdc.erased_rows_condition([table])) }}
        where {{ columns | join(' is not null and ') }} is not null
    {%- endset -%}
    {%- set values = [] -%}
    {%- if table.row_keys -%}
        {%- for row in run_query(query).rows -%}
            {%- do values.append(fromjson(row[0])) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(values) }}
{% endmacro %}

{# Returns the keys of the rows of a table whose reference has one of the values. #}
{% macro _get_referencing_keys(events, reference, of_table, values) %}
    {%- set columns = kafka_cdc._get_image_columns(reference.columns) -%}
    {%- set tuples = [] -%}
    {%- for row in values -%}
        {%- set literals = [] -%}
        {%- for value in row -%}
            {%- do literals.append(kafka_cdc.sql_literal(value)) -%}
        {%- endfor -%}
        {%- do tuples.append('(' ~ literals | join(', ') ~ ')') -%}
    {%- endfor -%}
    {%- if not tuples -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set query -%}
        select distinct row_key
        from {{ kafka_cdc.row_images(events, of_table) }}
        where ({{ columns | join(', ') }}) in ({{ tuples | join(', ') }})
    {%- endset -%}
    {{ return(run_query(query).columns[0].values() | list) }}
{% endmacro %}

{# Returns expressions: the values of columns in a row image, a list. #}
{% macro _get_image_columns(names) %}
    {%- set columns = [] -%}
    {%- for name in names -%}
        {%- do columns.append('row_image[' ~ kafka_cdc.sql_literal(name) ~ ']') -%}
    {%- endfor -%}
    {{ return(columns) }}
{% endmacro %}

{#
  Returns keys of rows of a table, with the earlier and later keys of these rows.

  Arguments:
    events (relation): the model events.
    of_table (string): SQL of the condition that selects the table.
    keys (list[string]): the keys.

  Returns: list[string], the given keys first.
#}
{% macro _add_moved_keys(events, of_table, keys) %}
    {%- if not keys -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set moves = [] -%}
    {%- set query -%}
        select distinct previous_row_key, row_key
        from {{ events }}
        where {{ of_table }} and previous_row_key <> row_key
    {%- endset -%}
    {%- for row in run_query(query).rows -%}
        {%- do moves.append([row[0], row[1]]) -%}
    {%- endfor -%}

    {#- Updates in two messages. -#}
    {%- if kafka_cdc.get_stream_facts(ref('kafka_cdc', 'event_batch_stats')).before_events -%}
        {%- for row in run_query(kafka_cdc.select_split_key_changes(events, of_table)).rows -%}
            {%- do moves.append([row[0], row[1]]) -%}
        {%- endfor -%}
    {%- endif -%}

    {%- set partners = {} -%}
    {%- for move in moves -%}
        {%- do partners.setdefault(move[0], []).append(move[1]) -%}
        {%- do partners.setdefault(move[1], []).append(move[0]) -%}
    {%- endfor -%}
    {#- The loop also visits what it appends. -#}
    {%- set found = keys | list -%}
    {%- set seen = {} -%}
    {%- for key in keys -%}
        {%- do seen.update({key: true}) -%}
    {%- endfor -%}
    {%- for key in found -%}
        {%- for partner in partners.get(key, []) if partner not in seen -%}
            {%- do seen.update({partner: true}) -%}
            {%- do found.append(partner) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}
