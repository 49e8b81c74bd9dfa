{#
  Prints an expression: the JSON text of a document after a change of the value at a path in it.

  It follows MongoDB. A digit is an element of an array, or a field of an object. A missing object is
  created. An array that is too short is filled with nulls. A removed element becomes null. If there
  is nothing to remove or to shorten, the text stays. If the text is null, or no object or array, such
  as a hash, the result is null.

  The numbers and texts of the document get markers first, as in read_documents. Each level is then
  parsed exactly. The containers on the path are collected from the outermost to the innermost, and
  rebuilt in the other direction.

  Example: {"a":[{"b":1.10}]} with the steps [a, 0, c] and the value "x" gives
  {"a":[{"b":1.10,"c":"x"}]}.

  Arguments:
    document (string): SQL of the JSON text.
    steps (string): SQL of the steps, array<string>. None leads to the document itself.
    is_set (string): SQL of a condition. The change sets the value. Otherwise it removes it.
    value (string): SQL of the JSON text to set. SQL null is JSON null.
    new_size (string): SQL of the length to which the change shortens an array, or null.
#}
{% macro change_document(document, steps, is_set, value, new_size) -%}
    {%- set marked = kafka_cdc.marked_document('document_text', 'text_marker', 'document_marker') -%}
    {%- set level = 'struct(level_text as text, ' ~ kafka_cdc._document_members('level_text') ~ ' as members)' -%}
    {%- set child_text = 'get(filter(element_at(levels, -1).members, member -> member.name = step), 0).value' -%}
    {%- set child = kafka_cdc.sql_let({'level_text': child_text}, level) -%}

    {%- set levels -%}
    aggregate(
        document_steps,
        array({{ kafka_cdc.sql_let({'level_text': marked}, level) }}),
        (levels, step) -> concat(levels, array({{ child }}))
    )
    {%- endset -%}

    {%- set changed_value -%}
    case
        when not startswith(target.text, '[') and {{ new_size }} is not null then target.text
        when {{ new_size }} is not null
            then concat('[', array_join(slice(target.members.value, 1, {{ new_size }}), ','), ']')
        when {{ is_set }} then coalesce({{ value }}, 'null')
    end
    {%- endset -%}

    {%- set rebuilt -%}
    aggregate(
        reverse(transform(document_steps, (step, depth) -> struct(step, levels[depth] as level))),
        {{ changed_value }},
        (child, parent) -> {{ kafka_cdc._changed_container('parent.level', 'parent.step', 'child') }}
    )
    {%- endset -%}

    {%- set changed_text -%}
    case
        when document_text is null then null
        when not startswith(document_text, '{') and not startswith(document_text, '[') then null
        when target.text is null and not ({{ is_set }}) then document_text
        else {{ kafka_cdc.unmarked_text(rebuilt, 'text_marker', 'document_marker') }}
    end
    {%- endset -%}

    {{ kafka_cdc.sql_let({
        'document_text': document,
        'document_steps': steps,
        'document_sentinel': kafka_cdc.json_sentinel('document_text'),
        'text_marker': "concat('\\uFDD1', document_sentinel)",
        'document_marker': kafka_cdc.number_marker('document_text', 'document_sentinel'),
        'levels': levels,
        'target': 'element_at(levels, -1)',
    }, changed_text) }}
{%- endmacro %}

{#
  Prints an expression: the members of a marked container, an array of struct with name and value.

  The name of an array's element is its index. Other values have no members.
#}
{% macro _document_members(text) -%}
    {%- set value -%}
    case
        when value is null then 'null'
        when startswith(value, text_marker) or startswith(value, document_marker)
            then {{ kafka_cdc.json_string('value') }}
        else value
    end
    {%- endset -%}
    {%- set options = kafka_cdc.get_json_options() -%}
    case
        when startswith({{ text }}, '[')
            then transform(
                from_json({{ text }}, 'array<string>', {{ options }}),
                (value, index) -> struct(cast(index as string) as name, {{ value }} as value)
            )
        when startswith({{ text }}, '{')
            then transform(
                map_entries(from_json({{ text }}, 'map<string, string>', {{ options }})),
                member -> {{ kafka_cdc.sql_let(
                    {'value': 'member.value'},
                    'struct(member.key as name, ' ~ value ~ ' as value)'
                ) }}
            )
        else array()
    end
{%- endmacro %}

{# Prints an expression: the text of a container with another value at a step, or without it if the value is null. #}
{% macro _changed_container(container, step, value) -%}
    {%- set index = 'try_cast(' ~ step ~ ' as int)' -%}
    if(
        startswith({{ container }}.text, '[') and {{ step }} rlike r'^(?:0|[1-9][0-9]{0,6})\z',
        concat('[', array_join(transform(
            sequence(0, greatest(size({{ container }}.members) - 1, {{ index }})),
            index -> if(
                index = {{ index }},
                coalesce({{ value }}, 'null'),
                coalesce(get({{ container }}.members, index).value, 'null')
            )
        ), ','), ']'),
        concat('{', array_join(transform(
            case
                when {{ value }} is null
                    then filter({{ container }}.members, member -> member.name <> {{ step }})
                when exists({{ container }}.members, member -> member.name = {{ step }})
                    then transform({{ container }}.members, member -> if(
                        member.name = {{ step }},
                        struct(member.name as name, {{ value }} as value),
                        member
                    ))
                else concat({{ container }}.members, array(struct({{ step }} as name, {{ value }} as value)))
            end,
            member -> concat({{ kafka_cdc.json_string('member.name') }}, ':', member.value)
        ), ','), '}')
    )
{%- endmacro %}
