{#
  Returns the profile of the union of two sets of events, from their profiles (get_table_profile).

  Arguments:
    one (dict[string, any]): a profile.
    other (dict[string, any]): another one.
#}
{% macro merge_profiles(one, other) %}
    {%- set formats = one.formats | list -%}
    {%- for format in other.formats if format not in formats -%}
        {%- do formats.append(format) -%}
    {%- endfor -%}

    {%- set columns = dict(one.columns) -%}
    {%- for name, column in other.columns.items() -%}
        {%- set before = columns.get(name, column) -%}
        {%- set types = {} -%}
        {%- for type in before.types + column.types -%}
            {%- set identity = tojson([type.source_format, type.source_database_type, type.type]) -%}
            {%- set seen = types.get(identity, type) -%}
            {%- do types.update({identity: type if type.last_position > seen.last_position else seen}) -%}
        {%- endfor -%}
        {%- do columns.update({name: {
            'position': [before.position, column.position] | max,
            'types': types | dictsort(case_sensitive=true) | map('last') | sort(attribute='last_position') | list,
            'value_types': (before.value_types + column.value_types) | unique | sort | list,
            'has_numbers': before.has_numbers or column.has_numbers,
        }}) -%}
    {%- endfor -%}

    {%- set newest = other if other.key_position > one.key_position else one -%}
    {{ return({
        'formats': formats,
        'key': newest.key,
        'key_position': newest.key_position,
        'last_position': [one.last_position, other.last_position] | max,
        'columns': columns,
    }) }}
{% endmacro %}
