{#
  Prints a SELECT: the source tables whose vendor's sequence starts again, and no setting covers it.

  Changes after such a position would lose against changes before it. The remedy contains the line
  to add.

  Partitions that statements and source snapshots reach are compared, too. Changes of one table must
  be in the same sequence generation. There are two more findings:
  * A partition has fewer lines of sequence_resets than another one with changes of the same table.
  * A topic has statements only, and its partition has fewer lines than the rows of its source.

  If another format has messages of the same shape and no such sequence, the remedy names it, too.

  Columns: see select_findings.

  Arguments:
    sequence_resets (relation): the model sequence_resets.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_falling_sequences(sequence_resets, batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() -%}
{%- set lines = kafka_cdc.get_sequence_resets() -%}
{%- if lines -%}
with partitions as (
    select
        kafka_topic,
        kafka_partition,
        {{ table | join(',\n        ') }},
        max_by(last_offset, struct(topic_incarnation, last_offset)) as last_offset,
        sum(changes) as changes,
        sum(
            if({{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(12) }} = 'sequence', sequenced_changes, 0)
        ) as sequenced_changes,
        sum(truncates + drops + renames) as statements,
        {% for line in lines -%}
        if({{ kafka_cdc.same_partition_condition(line) }}, 1, 0) {{ '+ ' if not loop.last }}
        {%- endfor %} as resets
    from {{ batch_stats }}
    group by kafka_topic, kafka_partition, {{ table | join(', ') }}
),

compared as (
    select
        *,
        max(if(sequenced_changes > 0, resets, null)) over (
            partition by kafka_topic, {{ table | join(', ') }}
        ) as resets_of_table,
        max(if(sequenced_changes > 0, resets, null)) over (
            partition by source_name, source_tenant
        ) as resets_of_source,
        sum(sequenced_changes) over (partition by kafka_topic, kafka_partition) as changes_of_partition
    from partitions
),

unequal_partitions as (
    select
        {{ table | join(',\n        ') }},
        kafka_topic,
        kafka_partition,
        last_offset,
        concat(resets, ' lines of sequence_resets and another of its partitions has ', resets_of_table) as problem
    from compared
    where sequenced_changes > 0 and resets < resets_of_table
    union all
    select distinct
        {%- for column in table %}
        tables.{{ column }},
        {%- endfor %}
        statements.kafka_topic,
        statements.kafka_partition,
        statements.last_offset,
        concat(
            statements.resets, ' lines of sequence_resets and the rows of source ', statements.source_name,
            ' that its statements reach have ', statements.resets_of_source
        )
    from compared as statements
    inner join compared as tables
        on statements.source_name = tables.source_name and statements.source_tenant = tables.source_tenant
    where
        statements.statements > 0
        and statements.changes_of_partition = 0
        and statements.resets < statements.resets_of_source
        and tables.changes > 0
)

{% endif -%}
select
    {{ table | join(',\n    ') }},
    'falling_sequence' as check_name,
    concat(
        'topic ', kafka_topic, ', partition ', kafka_partition, ', offset ', kafka_offset, ': the sequence of table ',
        {{ kafka_cdc.table_path() | indent(8) }}, ' of source ', source_name, ' falls from ',
        to_json(previous_sequence), ' to ', to_json(source_sequence)
    ) as finding,
    concat(
        if(is_undecided, 'If this change is late, the hold ends with a higher change of the partition. ', ''),
        'If it starts again, add to ', remedy{{ kafka_cdc._lookalike_remedy() | indent(8) }}
    ) as remedy
from {{ sequence_resets }}
{%- if lines %}
union all
select
    {{ table | join(',\n    ') }},
    'unequal_sequence_resets',
    concat('topic ', kafka_topic, ', partition ', kafka_partition, ' has ', problem),
    concat(
        'Add the first offset of the new task in this partition, too (last offset so far: ', last_offset, ')'
    )
from unequal_partitions
{%- endif %}
{%- endmacro %}

{#
  Prints arguments of concat: what to do if the messages are of the lookalike of their format.

  Only formats that an entry of topics names are compared. Under `auto` these messages have no
  sequence.
#}
{% macro _lookalike_remedy() -%}
    {%- set lookalikes = {} -%}
    {%- for setting in kafka_cdc.get_topic_settings() if setting.format is not none -%}
        {%- set lookalike = kafka_cdc.get_format(setting.format).unordered_lookalike -%}
        {%- if lookalike is not none -%}
            {%- do lookalikes.update({setting.format: lookalike}) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if lookalikes -%}
    , case source_format
        {%- for slug, lookalike in lookalikes.items() %}
        when '{{ slug }}' then concat(
            '. If topic ', kafka_topic, ' has messages of {{ lookalike.name }}, set format: {{ lookalike.format }}',
            ' for it in topics, then run dbt build --vars \'{replay: ["', kafka_topic, '"]}\''
        )
        {%- endfor %}
        else ''
    end
    {%- endif -%}
{%- endmacro %}
