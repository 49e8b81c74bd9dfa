{#
  Returns a fingerprint of the SQL that decodes the columns of a typed table. A new version of the
  package may decode a type differently, and then the table is written again.

  Arguments:
    columns (list[dict[string, any]]): the columns, see get_typed_columns.

  Returns: a string.
#}
{% macro get_decoder_fingerprint(columns) %}
    {%- set memory = kafka_cdc.get_run_memory().setdefault('decoder_fingerprints', {}) -%}
    {%- set fingerprints = [] -%}
    {%- for column in columns -%}
        {%- set arguments = column.arguments | reject('none') | list -%}
        {%- set call = tojson([column.macro, arguments]) -%}
        {%- if call not in memory -%}
            {%- do memory.update({call: local_md5(kafka_cdc[column.macro]('text', *arguments))}) -%}
        {%- endif -%}
        {%- do fingerprints.append(memory[call]) -%}
    {%- endfor -%}
    {{ return(local_md5(fingerprints | join)) }}
{% endmacro %}
