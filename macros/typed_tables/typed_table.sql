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
        {%- do kafka_cdc.check_table_columns(this, plan) -%}
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
        {%- do run_query('alter table ' ~ this ~ ' set ' ~ kafka_cdc.built_from_clause(plan.built_from)) -%}
    {%- else -%}
        {%- if existing is not none and existing.is_view -%}
            {%- do adapter.drop_relation(existing) -%}
        {%- endif -%}
        {%- call statement('main') -%}
            {{ kafka_cdc.replace_typed_table(this, plan, sql) }}
        {%- endcall -%}
    {%- endif -%}
    {%- if plan is not none -%}
        {%- if plan.has_new_columns -%}
            {%- do kafka_cdc.log_column_remarks(plan) -%}
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
