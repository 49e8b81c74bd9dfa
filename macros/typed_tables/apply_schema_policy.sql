{#
  Returns the columns that a typed table gets when the columns of its source have changed.

  The policies have the names of Flink CDC. A column becomes text under each of them if the texts of
  its two types cannot be distinguished. A column that the source no longer has stays, as long as its
  events are there. New rows have null in it. The log has a line per change. A full refresh always
  follows the source.

  Arguments:
    request (dict[string, any]): see typed_table_query.
    before (list[dict[string, any]]): the columns of the table, see get_typed_columns.
    after (list[dict[string, any]]): the columns of the source.

  Returns: a mapping. It raises an error with the policy exception.
    * columns: the columns of the table.
    * changes: the rows of the model applied_schema_changes, a list of mappings.
#}
{% macro apply_schema_policy(request, before, after) %}
    {%- set policy = 'evolve' if should_full_refresh() else request.on_schema_change -%}
    {%- set columns, changes, texts = [], [], [] -%}
    {%- set used_names = (before + after) | map(attribute='typed_name') | map('lower') | list -%}
    {%- for column in after -%}
        {%- set earlier = before | selectattr('name', 'equalto', column.name) | list -%}
        {%- set applied = kafka_cdc._get_applied_columns(policy, earlier, column, used_names) -%}
        {%- do columns.extend(applied.columns) -%}
        {%- for change in applied.changes -%}
            {%- do changes.append(dict(
                change,
                policy=request.on_schema_change,
                applied_at=run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f') ~ 'Z'
            )) -%}
            {%- do texts.append(
                'column ' ~ change.column_name ~ ' ' ~ (
                    change.type_after ~ ' is new' if change.type_before is none
                    else change.type_before ~ ' is now ' ~ change.type_after
                )
            ) -%}
        {%- endfor -%}
        {%- if applied.note -%}
            {%- do texts.append(applied.note) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if changes and policy == 'exception' -%}
        {{ kafka_cdc.raise_error(
            'the source changed ' ~ request.table ~ ': ' ~ texts | join('; '),
            'set on_schema_change of ' ~ this ~ ' to another policy such as evolve, or run it with --full-refresh'
        ) }}
    {%- endif -%}
    {%- if policy in ['ignore', 'lenient'] -%}
        {%- set names = after | map(attribute='name') | list -%}
        {%- do columns.extend(before | rejectattr('name', 'in', names)) -%}
    {%- endif -%}
    {%- for text in texts -%}
        {%- do log(this ~ ': ' ~ text, info=true) -%}
    {%- endfor -%}
    {{ return({'columns': columns, 'changes': changes}) }}
{% endmacro %}

{#
  Returns what becomes of one column of the source: columns, changes, and a note for the log or none.

  The policy lenient keeps a column for each type that does not widen the one before it.
#}
{% macro _get_applied_columns(policy, earlier, column, used_names) %}
    {#- The decoder of the old type would misread texts of a new type that are encoded. -#}
    {%- set encoded = earlier | rejectattr('macro', 'in', kafka_cdc.get_plain_decoders()) | list -%}
    {%- set of_type = earlier | selectattr('spark_type', 'equalto', column.spark_type) | list -%}
    {%- set change = {
        'column_name': column.typed_name,
        'change': 'added' if not earlier else 'retyped',
        'type_before': earlier[0].spark_type if earlier else none,
        'type_after': column.spark_type,
    } -%}
    {%- if not earlier -%}
        {{ return({
            'columns': [column] if policy != 'ignore' else [],
            'changes': [change] if policy != 'ignore' else [],
        }) }}
    {%- elif of_type and (policy in ['ignore', 'lenient'] or earlier | length == 1) -%}
        {{ return({'columns': kafka_cdc._replace_column(earlier, of_type[0], column), 'changes': []}) }}
    {%- elif policy in ['evolve', 'exception'] or column.is_ambiguous or encoded -%}
        {{ return({'columns': [column], 'changes': [change]}) }}
    {%- elif policy == 'ignore' -%}
        {{ return({'columns': earlier, 'changes': []}) }}
    {%- endif -%}

    {%- for known in earlier if kafka_cdc.has_wider_type(known, column) -%}
        {%- do change.update({'column_name': known.typed_name, 'type_before': known.spark_type}) -%}
        {{ return({'columns': kafka_cdc._replace_column(earlier, known, column), 'changes': [change]}) }}
    {%- endfor -%}
    {%- if policy == 'lenient' -%}
        {%- set free = namespace(name=earlier[0].typed_name ~ '_v' ~ (earlier | length + 1)) -%}
        {%- for used_name in used_names if free.name | lower in used_names -%}
            {%- set free.name = free.name ~ '_' -%}
        {%- endfor -%}
        {%- do change.update({'column_name': free.name, 'change': 'added', 'type_before': none}) -%}
        {{ return({'columns': earlier + [dict(column, typed_name=free.name)], 'changes': [change]}) }}
    {%- endif -%}

    {%- set is_known = earlier[0].rejected_type == column.spark_type -%}
    {%- set note = 'column ' ~ earlier[0].typed_name ~ ' stays ' ~ earlier[0].spark_type ~ ', because '
        ~ column.spark_type ~ ' does not hold its values. Hint: to change it, run the model with --full-refresh' -%}
    {{ return({
        'columns': [dict(earlier[0], rejected_type=column.spark_type)] + earlier[1:],
        'changes': [],
        'note': none if is_known else note,
    }) }}
{% endmacro %}

{#
  Returns a list of columns in which a new column replaces an old one. One of several columns of a
  source column keeps its own name.
#}
{% macro _replace_column(columns, old, new) %}
    {%- set replaced = [] -%}
    {%- for column in columns -%}
        {%- set name = old.typed_name if columns | length > 1 else new.typed_name -%}
        {%- do replaced.append(dict(new, typed_name=name) if column == old else column) -%}
    {%- endfor -%}
    {{ return(replaced) }}
{% endmacro %}
