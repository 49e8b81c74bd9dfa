{#
  Returns a fingerprint of the result of a query.

  Arguments:
    query (string): the SQL.
    unique_ids (list[string]): dbt's names of everything that the query reads.

  Returns: optional[string]; none if the result may differ without notice (get_content_fingerprint).
#}
{% macro get_query_fingerprint(query, unique_ids) %}
    {%- if modules.re.search('(?i)\\b(current_timestamp|current_date|localtimestamp|now\\s*\\()', query) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set parts = [query] -%}
    {%- for unique_id in unique_ids if none not in parts -%}
        {%- do parts.append(kafka_cdc.get_content_fingerprint(unique_id)) -%}
    {%- endfor -%}
    {{ return(none if none in parts else local_md5(tojson(parts))) }}
{% endmacro %}
