{#
  Prints SQL for what a TRUNCATE does to its table's rows: `on_truncate` of the setting tables; by default apply where it shares
  the rows' sequence, else error (a failing test asks for the setting).
#}
{% macro truncate_policy() -%}
    {{ table_setting('on_truncate', "if(source_sequence is null, 'error', 'apply')") }}
{%- endmacro %}
