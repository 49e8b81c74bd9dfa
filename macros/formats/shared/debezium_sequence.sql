{#
  Prints an expression: the position of a change in its database's log, null for none.

  A position is null if a part of it is missing or empty. One that cannot be read is an array with a
  null.
  * MySQL: number of the binlog file, position, row.
  * MariaDB: number of the binlog file, position. Since 11.4 its log has one position for all
    events of a transaction, and each event counts its rows from 0. Within it the offset is the
    order.
  * PostgreSQL: LSN of the last commit, own LSN. The own LSN of a snapshot row may exceed that of a
    later commit. An incremental snapshot has both in `sequence` only.
  * SQL Server and Db2: commit_lsn, change_lsn, event_serial_no. The parts of an LSN have 8, 8 and 4
    digits in SQL Server, and 8, 8 and 16 in Db2. The snapshot rows of Flink CDC and SeaTunnel have
    the lowest LSN, a single byte. It becomes 0.
  * Oracle: commit_scn, scn, ssn.

  Arguments:
    source (string): SQL of the struct `source` of the message.
    connector (string): SQL of the connector's name.
#}
{% macro debezium_sequence(source, connector) -%}
    {%- set file_number = kafka_cdc.binlog_file_number(source ~ '.file') -%}
    {%- set row_number = 'if(' ~ connector ~ " = 'mysql', coalesce(" ~ source ~ ".`row`, '0'), '0')" -%}

    {%- set lsns = 'from_json(' ~ source ~ ".sequence, 'array<string>')" -%}
    {%- set commit_lsn = 'coalesce(get(' ~ lsns ~ ', 0), ' ~ source ~ '.lsn, if(' ~ lsns ~ ' is null, '
        ~ source ~ '.sequence, null))' -%}
    {%- set own_lsn = 'coalesce(' ~ source ~ '.lsn, get(' ~ lsns ~ ', 1))' -%}

    {%- set lsn = "concat_ws(':', " ~ source ~ '.commit_lsn, ' ~ source ~ '.change_lsn)' -%}
    {%- set scn = 'coalesce(' ~ source ~ '.commit_scn, ' ~ source ~ '.scn)' -%}
    case
        when {{ connector }} in ('mysql', 'mariadb')
            then {{ kafka_cdc.sequence_array([file_number, source ~ '.pos', row_number]) }}
        when {{ connector }} = 'postgresql'
            then {{ kafka_cdc.sequence_array([commit_lsn, own_lsn]) }}
        when {{ connector }} in ('sqlserver', 'db2') and {{ lsn }} in ('00', '80') then array(0L)
        when {{ connector }} in ('sqlserver', 'db2') and {{ lsn }} <> ''
            then if(
                {{ lsn }} rlike r'^[0-9a-fA-F]{8}(?::[0-9a-fA-F]{4,16})++\z',
                transform(
                    split(concat_ws(':', {{ lsn }}, hex(try_cast({{ source }}.event_serial_no as bigint))), ':'),
                    part -> try_cast(conv(part, 16, 10) as bigint)
                ),
                array(null)
            )
        when {{ connector }} = 'oracle'
            then if(
                {{ source }}.ssn is null,
                {{ kafka_cdc.sequence_array([scn, source ~ '.scn']) }},
                {{ kafka_cdc.sequence_array([scn, source ~ '.scn', source ~ '.ssn']) }}
            )
    end
{%- endmacro %}
