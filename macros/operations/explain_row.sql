{#
  Prints every change of one row in the order of its table, with where it came from, and which of them made the row what it is, and
  why. For run-operation: dbt run-operation explain_row --args '{table: inventory.customers, key: {id: 1001}}'.
  table: database[.schema].table. key: column → value. source, tenant: which stream, where several have such a table.
  It reads what is published: what current_rows shows.
#}
{% macro explain_row(table, key, source=none, tenant=none) %}
    {%- set row_key = kafka_cdc.get_row_key(table, key) -%}
    {%- if execute -%}
        {%- set parts = kafka_cdc.get_table_stream(table, source, tenant).tables -%}
        {%- set acts = run_query(kafka_cdc.select_row_explanation(parts, row_key)).rows -%}
        {%- if not acts -%}
            {{ kafka_cdc.raise_error('no change of ' ~ table ~ ' has the key ' ~ tojson(key),
                    'keys are columns with their exact text: see row_key in changelog') }}
        {%- endif -%}
        {{ print(table ~ ' ' ~ acts[0].row_key ~ ' of source ' ~ parts.source_name ~ ' is ' ~ ('gone' if acts[-1].is_deleted else 'live')) }}
        {%- for act in acts -%}
            {{ print('\n' ~ loop.index ~ '. ' ~ act.what ~ '\n   from ' ~ act.origin ~ '\n   order ' ~ act.row_order ~ '\n   it ' ~ act.effect) }}
            {%- if act.says %}{{ print('   says ' ~ act.says) }}{% endif -%}
        {%- endfor -%}
        {%- if not acts[-1].is_deleted %}{{ print('\nThe row: ' ~ acts[-1].row_values) }}{% endif -%}
    {%- endif -%}
{% endmacro %}
