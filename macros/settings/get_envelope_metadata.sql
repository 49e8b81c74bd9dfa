{#
  Returns the rows of an envelope that have metadata among their columns: members that other paths name.

  A path `.` is the message itself. Example: with `after: .` and `operation: meta.op` the message is
  the row, and its member `meta` is no column.

  Arguments:
    envelope (dict[string, any]): the envelope, see get_envelope.

  Returns: dict[string, list[string]], the path of a row to the names of its members that are no columns.
#}
{% macro get_envelope_metadata(envelope) %}
    {%- set paths = [] -%}
    {%- for key, value in envelope.items() if value and key not in kafka_cdc._envelope_keys_without_a_path() -%}
        {%- do paths.extend([value] if value is string else value) -%}
    {%- endfor -%}

    {%- set metadata = {} -%}
    {%- for row in [envelope.before, envelope.after] if row -%}
        {%- set start = '' if row == '.' else row ~ '.' -%}
        {%- set names = [] -%}
        {%- for path in paths if path != row and path.startswith(start) -%}
            {%- do names.append(path[start | length:].split('.')[0]) -%}
        {%- endfor -%}
        {%- if names or row == '.' -%}
            {%- do metadata.update({row: names | unique | list}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(metadata) }}
{% endmacro %}

{# Returns the keys of an envelope whose values are no paths. #}
{% macro _envelope_keys_without_a_path() %}
    {{ return(['operations', 'before_contains', 'after_contains', 'time_unit']) }}
{% endmacro %}
