{#
  Removes the examples of a source table from chain_breaks, because they contain values of rows.

  The findings stay.

  Arguments:
    chain_breaks (relation): the model chain_breaks.
    of_table (string): SQL of the condition that selects the table.
#}
{% macro delete_chain_examples(chain_breaks, of_table) %}
    {%- if load_relation(chain_breaks) is not none -%}
        {%- set columns = ['example_row_key', 'example_before', 'example_state'] -%}
        {%- do run_query(
            'update ' ~ chain_breaks ~ ' set ' ~ columns | join(' = null, ') ~ ' = null where ' ~ of_table
                ~ ' and example_row_key is not null'
        ) -%}
    {%- endif -%}
{% endmacro %}
