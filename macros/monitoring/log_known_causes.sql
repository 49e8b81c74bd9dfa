{#
  Logs, after a run, what failed for a known cause outside of the project, and what helps.

  Spark reports a stack trace of Java for a full disk, too little memory, or a missing file.

  Arguments:
    results (list[any]): dbt's results of the run, as on-run-end hooks get them.
#}
{% macro log_known_causes(results) %}
    {%- for known in kafka_cdc.get_known_causes() if execute -%}
        {%- set names = [] -%}
        {%- for result in results if result.status in ['error', 'fail'] -%}
            {%- if kafka_cdc._get_known_cause(result.message or '') == known -%}
                {%- do names.append(result.node.name) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if names -%}
            {{ log(
                'kafka_cdc: ' ~ known.problem ~ ', so that these failed: ' ~ names | join(', ')
                    ~ '. Hint: ' ~ known.hint,
                info=true
            ) }}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{# Returns the known cause of an error, or none. #}
{% macro _get_known_cause(message) %}
    {%- for known in kafka_cdc.get_known_causes() if modules.re.search(known.pattern, message) -%}
        {{ return(known) }}
    {%- endfor -%}
{% endmacro %}
