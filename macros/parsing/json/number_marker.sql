{#
  Prints SQL for the text that marks the bare fractions, exponents and negative zeros of a JSON document while Spark parses it,
  or null when the document has none and needs no care (most have none: the check is one regular expression).
  Spark reads such numbers through double: 1.10 becomes 1.1, 1e2 becomes 100.0, -0 becomes 0. Integers are exact.
  The mark is a noncharacter of Unicode and the document's sentinel.
#}
{% macro number_marker(json_text, sentinel) -%}
    if(
        {{ json_text }} rlike r'[.eE-](?:(?<=[0-9].)[+-]?[0-9][0-9eE+-]*|(?<=-)0)\s*[,}\]]',
        concat('\uFDD0', {{ sentinel }}),
        null
    )
{%- endmacro %}
