{#
  Returns a table and those that reference it, directly or not, each after all that it references.

  It raises an error if these references form a cycle.

  Arguments:
    name (string): the table.
    references (list[dict[string, any]]): what get_table_references returns.

  Returns: list[string].
#}
{% macro sort_referencing_tables(name, references) %}
    {%- set reached = [name] -%}
    {%- for target in reached -%}
        {%- for reference in references if reference.to == target and reference.from not in reached -%}
            {%- do reached.append(reference.from) -%}
        {%- endfor -%}
    {%- endfor -%}

    {%- set sorted = [] -%}
    {%- for _ in reached -%}
        {%- for table in reached if table not in sorted -%}
            {%- set missing = [] -%}
            {%- for reference in references
                    if reference.from == table and reference.to in reached and reference.to not in sorted -%}
                {%- do missing.append(reference.to) -%}
            {%- endfor -%}
            {%- if not missing -%}
                {%- do sorted.append(table) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}

    {%- if sorted | length < reached | length -%}
        {#- Tables that only reference the cycle are not part of it. -#}
        {%- set outside = sorted | list -%}
        {%- for _ in reached -%}
            {%- for table in reached if table not in outside -%}
                {%- set referencing = references | selectattr('to', 'equalto', table) | map(attribute='from') -%}
                {%- if not referencing | reject('in', outside) | list -%}
                    {%- do outside.append(table) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- set cycle = reached | reject('in', outside) | sort -%}
        {{ kafka_cdc.raise_error(
            'references form a cycle, so that it is not clear which rows belong to one person: ' ~ cycle | join('; '),
            'remove one of these references from tables, and erase its rows by erase_row'
        ) }}
    {%- endif -%}
    {{ return(sorted) }}
{% endmacro %}
