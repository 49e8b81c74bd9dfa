{#
  Returns the slugs of the formats that the messages of the landing batches (none: of all) are in, in the registry's order; none
  where one of their topics is `auto` or not mapped, so that every format must be tried, and where there is no message.
  A run then costs what its own formats cost, however many there are. batches: as get_batches_at_hand returns them.
#}
{% macro get_formats_at_hand(batches) %}
    {%- set raw = get_raw() -%}
    {%- if not execute or load_relation(raw) is none %}{{ return(none) }}{% endif -%}
    {%- set query -%}
        select distinct {{ topic_settings('topic') }}.format
        from (
            select distinct topic
            from {{ raw }}
            {%- if batches is not none %}
            where {{ is_in_batches(batches) }}
            {%- endif %}
        )
    {%- endset -%}
    {%- set formats = run_query(query).columns[0].values() | list -%}
    {{ return(none if none in formats or not formats else get_formats() | select('in', formats) | list) }}
{% endmacro %}
