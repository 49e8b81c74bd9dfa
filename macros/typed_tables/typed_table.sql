{#
  The materialization of current_table and history_table: a physical table that follows the published state.

  Nothing is written if nothing changed. New events change the rows of their keys, in one commit.
  Otherwise the table is replaced in one commit, and readers see the old one until then. The table
  property kafka_cdc.built_from is written with the rows, or after them. If a run is killed in
  between, the next one repeats the same changes, and a replay writes the table again.

  If another run has written the property since this one read it, one of them may have merged older
  rows over newer ones. Without the definition, the next run writes the whole table again.
#}
{% materialization typed_table, adapter='spark' %}
    {%- set plan = kafka_cdc.get_run_memory().get('typed_tables', {}).get(this | string) -%}
    {%- set table = this.incorporate(type='table') -%}
    {%- set existing = load_relation(this) -%}

    {%- if config.get('contract').enforced and plan is not none -%}
        {%- set unmarked = 'select * except (' ~ plan.deletion_mark ~ ') from (' ~ sql ~ ')' -%}
        {%- do get_assert_columns_equivalent(sql if plan.deletion_mark is none else unmarked) -%}
    {%- endif -%}
    {%- if plan is none and existing is not none -%}
        {{ return(kafka_cdc.skip_materialization(table, 'nothing published')) }}
    {%- elif plan is not none and plan.change == 'nothing' -%}
        {{ return(kafka_cdc.skip_materialization(table, 'nothing new')) }}
    {%- endif -%}

    {%- if plan is not none and plan.change == 'keys' -%}
        {%- do kafka_cdc._check_table_columns(this, plan) -%}
    {%- endif -%}

    {{ run_hooks(pre_hooks) }}
    {%- if plan is not none and plan.change == 'keys' -%}
        {%- set last_built = kafka_cdc.get_built_from(this) -%}
        {%- call statement('main') -%}
            {{ kafka_cdc.merge_typed_rows(this, plan, sql) }}
        {%- endcall -%}
        {%- if kafka_cdc.get_built_from(this, is_fresh=true) != last_built -%}
            {%- do plan.built_from.update({'definition': ''}) -%}
            {%- do log(this ~ ': another run wrote it at the same time. The next run writes it again.', info=true) -%}
        {%- endif -%}
        {%- do run_query('alter table ' ~ this ~ ' set ' ~ kafka_cdc._built_from_clause(plan.built_from)) -%}
    {%- else -%}
        {%- if existing is not none and existing.is_view -%}
            {%- do adapter.drop_relation(existing) -%}
        {%- endif -%}
        {%- call statement('main') -%}
            {{ kafka_cdc._replace_typed_table(this, plan, sql) }}
        {%- endcall -%}
    {%- endif -%}
    {%- if plan is not none -%}
        {%- if plan.has_new_columns -%}
            {%- do kafka_cdc._log_column_remarks(plan) -%}
        {%- endif -%}
        {%- set memory = kafka_cdc.get_run_memory() -%}
        {%- do memory.setdefault('built_from', {}).update({this | string: plan.built_from}) -%}
        {%- if plan.has_schema_changes -%}
            {%- do memory.update({'has_schema_changes': true}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do apply_grants(table, config.get('grants'), should_revoke=should_revoke(existing, full_refresh_mode=true)) -%}
    {%- do persist_docs(table, model) -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [table]}) }}
{% endmaterialization %}

{#
  Prints a clause: tblproperties with the property kafka_cdc.built_from.

  Its JSON is written in hexadecimal digits. Spark would hide a text that contains a word such as
  url or password.

  Arguments:
    built_from (dict[string, any]): what a run read, see get_typed_table_plan.
#}
{% macro _built_from_clause(built_from) -%}
tblproperties ('kafka_cdc.built_from' = '{{ tojson(built_from).encode('utf-8').hex() }}')
{%- endmacro %}

{#
  Prints a statement: replaces a typed table and its property in one commit.

  Arguments:
    table (relation): the typed table.
    plan (optional[dict[string, any]]): from get_typed_table_plan; none if nothing is published.
    query (string): SQL of all rows.
#}
{% macro _replace_typed_table(table, plan, query) -%}
create or replace table {{ table }}
using {{ kafka_cdc.get_table_format() }}
{{ partition_cols(label='partitioned by') }}
{{ location_clause() }}
{{ comment_clause() }}
tblproperties (
    {%- for name, value in kafka_cdc._get_typed_table_properties(plan).items() %}
    '{{ name }}' = {{ kafka_cdc.sql_literal(value) }}{{ ',' if not loop.last }}
    {%- endfor %}
)
as
{{ query }}
{%- endmacro %}

{# Returns the properties of a typed table, dict[string, string]. The configuration tblproperties can replace them. #}
{% macro _get_typed_table_properties(plan) %}
    {%- set properties = kafka_cdc.get_table_format_macro('typed_table_properties')() -%}
    {%- do properties.update(config.get('tblproperties', {}) or {}) -%}
    {%- if plan is not none -%}
        {%- do properties.update({'kafka_cdc.built_from': tojson(plan.built_from).encode('utf-8').hex()}) -%}
    {%- endif -%}
    {{ return(properties) }}
{% endmacro %}

{#
  Logs which columns of a typed table have another name than in the source, and which are text because
  their type is not known.

  Arguments:
    plan (dict[string, any]): from get_typed_table_plan.
#}
{% macro _log_column_remarks(plan) %}
    {%- for column in plan.columns if column.typed_name != column.name -%}
        {%- do log(
            'warning: ' ~ this ~ ': the column ' ~ column.name ~ ' of the source is ' ~ column.typed_name
                ~ ', because its name is taken or not allowed',
            info=true
        ) -%}
    {%- endfor -%}

    {%- set text_columns = plan.columns | selectattr('remark') | rejectattr('is_masked') | list -%}
    {%- set columns_by_reason = {} -%}
    {%- for column in text_columns[:20] -%}
        {%- set type = ' (' ~ column.source_type ~ ')' if column.source_type else '' -%}
        {%- do columns_by_reason.setdefault(column.remark ~ type, []).append(column.typed_name) -%}
    {%- endfor -%}
    {%- set texts = [] -%}
    {%- for reason, names in columns_by_reason.items() -%}
        {%- do texts.append(names | join(', ') ~ ', because ' ~ reason) -%}
    {%- endfor -%}
    {%- if texts -%}
        {%- set source_name = plan.stream.tables.source_name -%}
        {%- set other_sources = [] -%}
        {%- for line in kafka_cdc.get_setting('tables') if line.table == plan.stream.path and line.column_types -%}
            {%- if line.get('source') not in [none, source_name] -%}
                {%- do other_sources.append(line.source) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do log(
            'warning: ' ~ this ~ ': text columns are ' ~ texts | join('; ')
                ~ ('; and more' if text_columns | length > 20 else '') ~ '. Hint: '
                ~ ('tables has column_types of ' ~ plan.stream.path ~ ' for the source '
                    ~ other_sources | join(', ') ~ ', and this table is of the source ' ~ source_name
                    if other_sources else 'set their types in tables[].column_types'),
            info=true
        ) -%}
    {%- endif -%}
{% endmacro %}

{#
  Raises an error if a typed table does not have the columns of its last run, because someone changed it.

  A MERGE would fail with an error of Spark, or convert values.

  Arguments:
    table (relation): the typed table.
    plan (dict[string, any]): from get_typed_table_plan, with the columns of the last run.
#}
{% macro _check_table_columns(table, plan) %}
    {%- set found = {} -%}
    {%- for row in run_query('describe table ' ~ table).rows -%}
        {#- What follows the columns begins with an empty line or a heading, which have no type. -#}
        {%- if not row[1] -%}
            {%- break -%}
        {%- endif -%}
        {%- do found.update({row[0]: row[1]}) -%}
    {%- endfor -%}

    {%- set differences, expected = [], ['undecoded', 'row_key'] + kafka_cdc.get_change_columns(plan.request) -%}
    {%- for name in expected if name not in found -%}
        {%- do differences.append('column ' ~ name ~ ' is missing') -%}
    {%- endfor -%}
    {%- for column in plan.columns -%}
        {%- set name, type = column.typed_name, column.spark_type | replace(' ', '') -%}
        {%- do expected.append(name) -%}
        {%- if name not in found -%}
            {%- do differences.append('column ' ~ name ~ ' is missing') -%}
        {%- elif found[name] != type -%}
            {%- do differences.append('column ' ~ name ~ ' is ' ~ found[name] ~ ' and not ' ~ type) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for name, type in found.items() if name not in expected -%}
        {%- do differences.append('column ' ~ name ~ ' ' ~ type ~ ' is not of the source') -%}
    {%- endfor -%}

    {%- if differences -%}
        {{ kafka_cdc.raise_error(
            'the table ' ~ table ~ ' was changed by hand: ' ~ differences | join('; '),
            'write it again: dbt run --full-refresh --select ' ~ model.name
        ) }}
    {%- endif -%}
{% endmacro %}
