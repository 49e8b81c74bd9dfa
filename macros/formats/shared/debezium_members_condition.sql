{#
  Prints a condition: the message has no members but times and those that are named.

  A member of another name may name the table of an application's event, so that Debezium did not write it.

  Arguments:
    members (list[string]): members that such a message may have in addition to the times.

  Requires: column `value`.
#}
{% macro debezium_members_condition(members) -%}
    size(array_except(
        json_object_keys(coalesce(get_json_object(value, '$.payload'), value)),
        array('{{ (members + ['ts_ms', 'ts_us', 'ts_ns']) | join("', '") }}')
    )) = 0
{%- endmacro %}
