{#
  Prints an expression: the paths into documents that a partial image has, for the entry `paths`.

  A name with several steps is a path. The others are columns and are left out. The result is null if
  there is no path.

  Example: the names [n, address.city] and the shortened array items of two elements give
  [(items, [items], 2), (address.city, [address, city], null)].

  Arguments:
    names (string): SQL of the names that the message sets or removes, array<string>.
    steps (string): SQL of the steps of a path, array<string>, by its `name`. By default dots separate
      them.
    shortened (string): SQL of the shortened arrays, array of struct with `name` and `new_size`.
#}
{% macro document_paths(names, steps="split(name, '[.]')", shortened=none) -%}
    {%- set all_names -%}
    transform({{ names }}, name -> struct(name, cast(null as int) as new_size))
    {%- endset -%}
    {%- if shortened is not none -%}
        {%- set all_names = 'concat(coalesce(' ~ shortened ~ ', array()), ' ~ all_names ~ ')' -%}
    {%- endif -%}
    {%- set all_paths -%}
    transform(
        {{ all_names }},
        named -> {{ kafka_cdc.sql_let(
            {'name': 'named.name'},
            'struct(name, ' ~ steps ~ ' as steps, named.new_size)'
        ) }}
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let(
        {'paths': 'filter(' ~ all_paths ~ ', path -> size(path.steps) > 1 or path.new_size is not null)'},
        'if(size(paths) > 0, paths, null)'
    ) }}
{%- endmacro %}
