{#
  Returns the rows whose chains may be broken in some landing batches, from select_suspected_rows.

  The check then explains these rows only. The rows are literals in its query.

  Arguments:
    relations (dict[string, any]): SQL of the models events and event_batch_stats.
    batches (optional[list[integer]]): the landing batches; none for all.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    merged (optional[string]): SQL of merged_rows; none if it has no version.
    coverage (dict[string, any]): from get_merge_coverage.
    changes (dict[string, any]): from get_checked_changes.

  Returns: a list of mappings (list[dict[string, string]]) with the columns that name the source
    table, and row_key. None means that all rows must be explained: dbt only parses, or more than
    1,000 rows are suspected.
#}
{% macro get_suspected_rows(relations, batches, facts, merged, coverage, changes) %}
    {%- if not execute or changes.unsnapshotted is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- if changes.unsnapshotted == 0 -%}
        {{ return([]) }}
    {%- endif -%}

    {%- set limit = 1000 -%}
    {%- set query -%}
        select to_json(struct(*)) as suspected
        from (
            {{ kafka_cdc.select_suspected_rows(
                relations, batches, facts, merged, coverage, changes.has_few_keys
            ) | indent(12) }}
        ) as suspected_rows
        limit {{ limit + 1 }}
    {%- endset -%}
    {%- set rows = [] -%}
    {%- for row in run_query(query).rows -%}
        {%- do rows.append(fromjson(row.suspected)) -%}
    {%- endfor -%}
    {{ return(none if rows | length > limit else rows) }}
{% endmacro %}
