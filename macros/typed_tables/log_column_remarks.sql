{#
  Logs which columns of a typed table have another name than in the source, and which are text because
  their type is not known.

  Arguments:
    plan (dict[string, any]): from get_typed_table_plan.
#}
{% macro log_column_remarks(plan) %}
    {%- for column in plan.columns if column.typed_name != column.name -%}
        {%- do log(
            'warning: ' ~ this ~ ': the column ' ~ column.name ~ ' of the source is ' ~ column.typed_name
                ~ ', because its name is taken or not allowed',
            info=true
        ) -%}
    {%- endfor -%}

    {%- set text_columns = plan.columns | selectattr('remark') | rejectattr('is_masked') | list -%}
    {%- set columns_by_reason = {} -%}
    {%- for column in text_columns[:20] -%}
        {%- set type = ' (' ~ column.source_type ~ ')' if column.source_type else '' -%}
        {%- do columns_by_reason.setdefault(column.remark ~ type, []).append(column.typed_name) -%}
    {%- endfor -%}
    {%- set texts = [] -%}
    {%- for reason, names in columns_by_reason.items() -%}
        {%- do texts.append(names | join(', ') ~ ', because ' ~ reason) -%}
    {%- endfor -%}
    {%- if texts -%}
        {%- do log(
            'warning: ' ~ this ~ ': text columns are ' ~ texts | join('; ')
                ~ ('; and more' if text_columns | length > 20 else '')
                ~ '. Hint: set their types in tables[].column_types',
            info=true
        ) -%}
    {%- endif -%}
{% endmacro %}
