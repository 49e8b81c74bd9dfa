{#
  Logs which columns of a typed table have another name than in the source, and which are text because
  their type is not known.

  Arguments:
    plan (dict[string, any]): from get_typed_table_plan.
#}
{% macro log_column_remarks(plan) %}
    {%- set texts = [] -%}
    {%- for column in plan.columns if column.typed_name != column.name -%}
        {%- do log(
            'warning: ' ~ this ~ ': the column ' ~ column.name ~ ' of the source is ' ~ column.typed_name
                ~ ', because its name is taken or not allowed',
            info=true
        ) -%}
    {%- endfor -%}
    {%- for column in plan.columns if column.remark and not column.is_masked -%}
        {%- set type = ' (' ~ column.source_type ~ ')' if column.source_type else '' -%}
        {%- do texts.append(column.typed_name ~ ', because ' ~ column.remark ~ type) -%}
    {%- endfor -%}
    {%- if texts -%}
        {%- do log(
            'warning: ' ~ this ~ ': text columns are ' ~ texts[:20] | join('; ')
                ~ ('; and more' if texts | length > 20 else '')
                ~ '. Hint: set their types in tables[].column_types',
            info=true
        ) -%}
    {%- endif -%}
{% endmacro %}
