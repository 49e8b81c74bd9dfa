{#
  Prints a SELECT: the rows of a typed table, of all keys or of those with new events.

  A comment names the source column of each typed column. `kafka-cdc lineage` reads it from dbt's
  files of a run.

  If nothing is new, a run has no use for the query, and dbt would take longer to print it than for
  all else. It is printed for other commands, such as dbt compile and dbt show.

  Arguments:
    plan (dict[string, any]): from get_typed_table_plan.
    relations (dict[string, relation]): the models that it reads.
#}
{% macro select_typed_rows(plan, relations) -%}
{%- set request, stream, columns = plan.request, plan.stream, plan.columns -%}
{%- set of_table = kafka_cdc.stream_condition(stream) -%}
{%- set row_identity = (['row_key'] + kafka_cdc.get_shard_columns(request)) | join(', ') -%}
{%- set kept = kafka_cdc.get_change_columns(request) -%}
{%- set names = [] -%}
{%- for column in columns -%}
    {%- do names.append(kafka_cdc.quoted_column_name(column.typed_name)) -%}
{%- endfor -%}
{%- set is_of_new_events = plan.deletion_mark is not none -%}
{%- set rows_relation = relations.current_state if request.rows == 'hard' else relations.row_history -%}
{%- set line_breaks = '[\\x00-\\x1f\\x85\\u2028\\u2029]+' -%}
{%- set stream_name = modules.re.sub(line_breaks, ' ', stream.path ~ ' of source ' ~ stream.tables.source_name) -%}
{%- set grain = {'hard': 'live row', 'soft': 'row', 'versions': 'version of a row'}[request.rows] -%}
-- One row per {{ grain }} of {{ stream_name }}.
{{- kafka_cdc._column_lineage(columns, rows_relation) }}
{% if plan.change == 'nothing' and flags.WHICH in ['run', 'build'] -%}
-- Nothing is new since the last run.
select *
from {{ this }}
where false
{%- else -%}
with
{%- if plan.change == 'keys' and not is_of_new_events %}
{{ kafka_cdc.changed_rows_cte(plan, relations.events) }},
{% endif %}
{%- if is_of_new_events %}
{#- Of such changes, none needs another event. -#}
{%- set facts = dict.fromkeys(kafka_cdc.get_stream_facts(relations.batch_stats, is_published=true), 0) %}

-- The last change of each row is new and has a whole image, so that earlier events need not be read.
new_events as (
    select *
    from {{ kafka_cdc.published_relation(relations.events) }}
    where
        {{ kafka_cdc.in_batches_condition(plan.batches) }}
        and {{ of_table | indent(8) }}
),

published_rows as (
    {{ kafka_cdc.select_current_rows('new_events', relations.batch_stats, facts, []) | indent(4) }}
),
{%- else %}

published_rows as (
    select *
    from {{ rows_relation }}
    {%- if plan.change == 'keys' %}
    left semi join changed_rows using ({{ row_identity }})
    {%- endif %}
    where {{ of_table }}
),
{%- endif %}
{%- if request.rows == 'soft' %}

-- The last version of a deleted row is kept.
latest_versions as (
    select
        *,
        not is_current as is_deleted,
        valid_to as deleted_at
    from (
        select
            *,
            row_number() over (
                partition by {{ row_identity }}
                order by is_current desc, {{ kafka_cdc._version_order() | indent(16) }} desc
            ) as recency
        from published_rows
    ) as versions
    where recency = 1
),
{%- endif %}

decoded as (
    select
        *
        {%- for column in columns -%},
        {{ kafka_cdc._decoded_value(column) | indent(8) }} as {{ kafka_cdc.quoted_column_name(column.typed_name) }}
        {%- endfor %}
    from (
        select
            row_values,
            row_key
            {%- for name in kept -%},
            {{ name }}
            {%- endfor %}
            {%- if is_of_new_events -%},
            is_deleted as {{ plan.deletion_mark }}
            {%- endif %}
        from {{ 'latest_versions' if request.rows == 'soft' else 'published_rows' }}
    ) as typed_rows
)

select
    {%- for name in names %}
    {{ name }},
    {%- endfor %}
    {{ kafka_cdc.undecoded(kafka_cdc._get_decoded_columns(columns)) | indent(4) }} as undecoded,
    {{ (['row_key'] + kept + ([plan.deletion_mark] if is_of_new_events else [])) | join(',\n    ') }}
from decoded
{%- endif %}
{%- endmacro %}

{# Prints a comment: from which column of the source each typed column comes. JSON has no line end. #}
{% macro _column_lineage(columns, rows_relation) -%}
    {%- set sources = {} -%}
    {%- for column in columns -%}
        {%- do sources.update({column.typed_name: column.name}) -%}
    {%- endfor -%}
    {%- if sources %}
-- Columns: {{ tojson({
        'from': rows_relation.schema ~ '.' ~ rows_relation.identifier,
        'columns': sources,
    }) | replace('$', '\\u0024') }}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the columns that may not fit.

  It maps the source's column to an expression and to the types of its typed columns. The expression
  is null if the text fits none of them.
#}
{% macro _get_decoded_columns(columns) %}
    {%- set decoded = {} -%}
    {%- for name, typed in columns | groupby('name', case_sensitive=true)
        if 'decode_text' not in typed | map(attribute='macro') -%}
        {%- set texts = [] -%}
        {%- for column in typed -%}
            {%- do texts.append('cast(' ~ kafka_cdc.quoted_column_name(column.typed_name) ~ ' as string)') -%}
        {%- endfor -%}
        {%- set any_value = 'coalesce(' ~ texts | join(', ') ~ ')' -%}
        {%- do decoded.update({name: [
            any_value if typed | length > 1 else kafka_cdc.quoted_column_name(typed[0].typed_name),
            typed | map(attribute='spark_type') | join(' or '),
        ]}) -%}
    {%- endfor -%}
    {{ return(decoded) }}
{% endmacro %}

{# Prints an expression: the position of a version among the versions of its row, a struct. #}
{% macro _version_order() -%}
struct(
    sequence_generation,
    case {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(4) }}
        when 'sequence' then source_sequence
    end as sequence,
    topic_incarnation,
    kafka_offset,
    row_index,
    kafka_topic,
    kafka_partition
)
{%- endmacro %}

{# Prints an expression: the value of a source column in its type. #}
{% macro _decoded_value(column) -%}
    {%- set text = 'row_values[' ~ kafka_cdc.sql_literal(column.name) ~ ']' -%}
    {%- set arguments = column.arguments | reject('none') | list -%}
    {{ text if column.macro == 'decode_text' else kafka_cdc[column.macro](text, *arguments) }}
{%- endmacro %}
