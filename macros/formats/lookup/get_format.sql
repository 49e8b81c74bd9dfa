{#
  Returns a format's mapping after checking it, so that a slip is an error of `dbt parse` that names the format and the key.
  The mapping: fields (SQL struct fields of the parsed document) or, where the payload is not JSON, read (SQL for the struct),
  recognized_by (signature, condition), required (field → SQL that must not be null), columns (get_format_columns() → SQL); optional:
  variables (name → SQL that the other entries may read by its name), rows, hidden_columns, ddl_targets, snapshot_mark, tombstone_key, rejects,
  unread_hint, otherwise (fields, struct: documents of another shape, and SQL that makes the first's struct of them). README, "Add a format".
#}
{% macro get_format(slug) %}
    {%- set macro_name = 'format_' ~ slug -%}
    {%- set macro = kafka_cdc.get(macro_name) if slug in kafka_cdc.get_package_formats() else context.get(macro_name) -%}
    {%- if not macro -%}
        {{ kafka_cdc.raise_error('the format ' ~ slug ~ ' is registered but there is no macro ' ~ macro_name,
                'write it, or take its line out of the registry (setting formats, or macros/formats/format_list.sql)') }}
    {%- endif -%}
    {%- set format = macro() -%}
    {%- set needed = ['read' if 'read' in format else 'fields', 'recognized_by', 'required', 'columns'] -%}
    {%- set optional = {'read': none, 'variables': {}, 'rows': none, 'hidden_columns': none, 'ddl_targets': none, 'snapshot_mark': none,
        'tombstone_key': none, 'rejects': [], 'unread_hint': none, 'otherwise': none} -%}
    {%- for name in needed if name not in format -%}
        {{ kafka_cdc.raise_error('format ' ~ slug ~ ' lacks the entry ' ~ name, 'a format has ' ~ needed | join(', ')) }}
    {%- endfor -%}
    {%- if 'read' in format and 'fields' in format -%}
        {{ kafka_cdc.raise_error('format ' ~ slug ~ ' has both fields and read', 'fields where the payload is JSON, else read') }}
    {%- endif -%}
    {%- for name in format if name not in needed and name not in optional -%}
        {{ kafka_cdc.raise_error('format ' ~ slug ~ ' has the unknown entry ' ~ name,
                'valid are ' ~ (needed + optional.keys() | list) | join(', ')) }}
    {%- endfor -%}
    {%- set columns = kafka_cdc.get_format_columns() -%}
    {%- for name in columns if name not in format.columns -%}
        {{ kafka_cdc.raise_error('format ' ~ slug ~ ' lacks the column ' ~ name, "say 'null' where the format has no such thing") }}
    {%- endfor -%}
    {%- for name in format.columns if name not in columns -%}
        {{ kafka_cdc.raise_error('format ' ~ slug ~ ' has the column ' ~ name ~ ', which is not for a format to say',
                'its columns are ' ~ columns.keys() | join(', ')) }}
    {%- endfor -%}
    {{ return(dict(optional, **format)) }}
{% endmacro %}
