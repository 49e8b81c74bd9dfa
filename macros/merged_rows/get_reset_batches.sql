{#
  Returns the landing batches that contain a TRUNCATE or DROP, a list of integers.

  Arguments:
    batch_stats (string): SQL of the model event_batch_stats, at the version to read.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
#}
{% macro get_reset_batches(batch_stats, facts) %}
    {%- if not execute or facts.truncates + facts.drops == 0 -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set query -%}
        select distinct landing_batch
        from {{ batch_stats }}
        where truncates + drops > 0
        order by landing_batch
    {%- endset -%}
    {{ return(run_query(query).columns[0].values() | list) }}
{% endmacro %}
