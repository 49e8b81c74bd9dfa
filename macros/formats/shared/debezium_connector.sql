{#
  Prints an expression: the name of the connector of a Debezium message, null if it is unknown.

  Debezium before 0.9 does not name its connector. Its position shows which one it is. The examples of
  the reference for Oracle name neither the connector nor the table.

  Arguments:
    source (string): SQL of the struct `source` of the message.
#}
{% macro debezium_connector(source) -%}
    coalesce(
        {{ source }}.connector,
        case
            when {{ source }}.file rlike r'[.][0-9]+\z' and {{ source }}.pos is not null then 'mysql'
            when {{ source }}.lsn is not null then 'postgresql'
            when {{ source }}.scn is not null and {{ source }}.`table` is null then 'oracle'
        end
    )
{%- endmacro %}
