{#
  Prints an expression: the position of a change of the format debezium, null for none.

  These connectors have positions of their own. The others are in debezium_sequence.
  * TiCDC and TiDB: commit_ts.
  * Informix: commit_lsn, change_lsn.
  * Vitess: epoch and rank of the transaction, number in the transaction.
  * Spanner: commit time, sequence, mod_number. No two transactions that change a row have one
    commit time.
  * CockroachDB: ts_hlc, which is nanoseconds and a counter.
  * YashanDB: position_scn, group_lsn, group_offset, batch_row_id.
  * SQLite: change_id.

  Requires: the format variables `change` and `connector`.
#}
{% macro debezium_change_sequence() -%}
    {%- set hlc_pattern = "r'^([0-9]+)[.]([0-9]+)\\z'" -%}
    {%- set hlc_time = 'regexp_extract(change.source.ts_hlc, ' ~ hlc_pattern ~ ', 1)' -%}
    {%- set hlc_counter = 'regexp_extract(change.source.ts_hlc, ' ~ hlc_pattern ~ ', 2)' -%}
    {%- set commit_time = "coalesce(change.source.ts_ns, change.source.ts_us || '000')" -%}
    {%- set record = 'coalesce(change.source.record_sequence, change.source.sequence)' -%}
    case
        when connector in ('TiCDC', 'tidb')
            then {{ kafka_cdc.sequence_array(['change.source.commit_ts']) }}
        when connector = 'informix'
            then {{ kafka_cdc.sequence_array([
                'change.source.commit_lsn', "coalesce(change.source.change_lsn, '0')",
            ]) }}
        when connector = 'vitess'
            then {{ kafka_cdc._debezium_vitess_sequence() | indent(12) }}
        when connector = 'spanner'
            then {{ kafka_cdc.sequence_array([
                commit_time, record, "coalesce(change.source.mod_number, '0')",
            ]) }}
        when connector = 'cockroachdb'
            then {{ kafka_cdc.sequence_array([hlc_time, hlc_counter], position='change.source.ts_hlc') }}
        when connector = 'yashandb'
            then {{ kafka_cdc.sequence_array([
                'change.source.position_scn',
                "coalesce(change.source.group_lsn, '0')",
                "coalesce(change.source.group_offset, '0')",
                "coalesce(change.source.batch_row_id, '0')",
            ]) }}
        when connector = 'sqlite'
            then {{ kafka_cdc.sequence_array(['change.source.change_id']) }}
        else {{ kafka_cdc.debezium_sequence('change.source', 'connector') | indent(8) }}
    end
{%- endmacro %}

{# Prints an expression: the position in the text of the member `transaction`, null for none. #}
{% macro _debezium_vitess_sequence() -%}
    {%- set transaction = "from_json(change.transaction, 'transaction_epoch string, transaction_rank string, "
        ~ "total_order string')" -%}
    {%- set position -%}
    case
        when not startswith(change.transaction, '{') then array(null)
        else {{ kafka_cdc.sequence_array([
            'vitess_transaction.transaction_epoch',
            'vitess_transaction.transaction_rank',
            'vitess_transaction.total_order',
        ]) }}
    end
    {%- endset -%}
    {{ kafka_cdc.sql_let({'vitess_transaction': transaction}, position) }}
{%- endmacro %}
