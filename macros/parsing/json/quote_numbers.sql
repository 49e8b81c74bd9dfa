{#
  Prints SQL for a JSON document whose bare fractions, exponents and negative zeros are strings with the mark at both ends,
  all else being as it was. Text that is not JSON stays text that is not JSON: only a whole JSON number, where a value may
  stand, is quoted. Each match starts where the last one ended (\G) and passes over strings and integers.
#}
{% macro quote_numbers(json_text, number_marker) -%}
    regexp_replace(
        {{ json_text }},
        r'\G((?:[^"0-9-]++|"(?:[^"\\]++|\\.)*+"|(?:-?[1-9][0-9]*+|0)(?![0-9.eE]))*+)(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)(?=\s*+[,}\]])',
        concat('$1"', {{ number_marker }}, '$2', {{ number_marker }}, '"')
    )
{%- endmacro %}
