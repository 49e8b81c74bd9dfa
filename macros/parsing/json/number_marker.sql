{#
  Prints an expression: the text that marks numbers of a JSON document while Spark parses it.

  Spark reads fractions, exponents and negative zeros as doubles: 1.10 becomes 1.1, 1e2 becomes
  100.0, and -0 becomes 0. Integers are exact. quote_numbers turns such numbers into marked strings,
  and remove_number_markers turns them back.

  The marker is a noncharacter of Unicode, followed by the document's sentinel. It is null if the
  document has no such number. Most have none, and the check is one regular expression.

  The expression first looks for a point, an `e` or a minus, because Java finds one of few characters
  fastest. A match then ends at the end of a number, so that a long text takes linear time.

  Arguments:
    json_text (string): SQL of the document.
    sentinel (string): SQL of its sentinel.
#}
{% macro number_marker(json_text, sentinel) -%}
    if(
        {{ json_text }} rlike r'[.eE-](?=[0-9+-])(?:(?<=[0-9].)[+-]?+[0-9]++(?:[eE][+-]?+[0-9]++)?+|(?<=-)0)\s*+[,}\]]',
        concat('\uFDD0', {{ sentinel }}),
        null
    )
{%- endmacro %}
