{#
  Prints an expression: the tables that a DDL statement changes, an array of get_ddl_table_type.

  * A part that a name lacks comes from the message: source_database, source_schema.
  * A name of two parts is schema.table if the message has a schema, else database.table.
  * A whole database or schema has the table ''.
  * CREATE OR REPLACE drops the table or database that it recreates.
  * A rename drops a table whose name another table takes in the same statement.

  Arguments:
    names (string): SQL of the names, see ddl_names.
    operation (string): SQL of the operation, see ddl_operation.
    statement (string): SQL of the statement, see ddl_statement.

  Requires: the columns `source_database`, `source_schema`.
#}
{% macro ddl_tables(names, operation, statement) -%}
    {%- set of_database = statement ~ " rlike r'(?i)^\\w+\\s+(?:or\\s+replace\\s+)?(?:database|schema)\\b'" -%}
    {%- set replaces = statement ~ " rlike r'(?i)^create\\s+or\\s+replace\\s+(?:table|database|schema)\\b'" -%}

    {%- set tables_of_names -%}
    transform(
        all_names,
        name -> struct(
            case
                when size(name.new_parts) > 0 then 'rename'
                when {{ replaces }}
                    or exists(all_names, other -> size(other.new_parts) > 0 and other.new_parts = name.old_parts)
                    then 'drop'
                else {{ operation }}
            end as operation,
            {%- for parts, prefix in [('name.old_parts', ''), ('name.new_parts', 'new_')] %}
            {%- set missing_part = "if(size(name.new_parts) > 0, {}, '')" if prefix else '{}' %}
            case
                when {{ of_database }} and source_schema = '' then coalesce(try_element_at({{ parts }}, 1), '')
                when size({{ parts }}) = 3 or size({{ parts }}) = 2 and source_schema = '' then {{ parts }}[0]
                else {{ missing_part.replace('{}', 'source_database') }}
            end as `{{ prefix }}database`,
            case
                when {{ of_database }} then if(source_schema = '', '', coalesce(try_element_at({{ parts }}, 1), ''))
                when size({{ parts }}) = 3 then {{ parts }}[1]
                when size({{ parts }}) = 2 and source_schema <> '' then {{ parts }}[0]
                else {{ missing_part.replace('{}', 'source_schema') }}
            end as `{{ prefix }}schema`,
            if({{ of_database }}, '', coalesce(try_element_at({{ parts }}, -1), '')) as `{{ prefix }}table`
            {{- ',' if not loop.last }}
            {%- endfor %}
        )
    )
    {%- endset -%}

    {{ kafka_cdc.sql_let({'all_names': names}, tables_of_names) }}
{%- endmacro %}
