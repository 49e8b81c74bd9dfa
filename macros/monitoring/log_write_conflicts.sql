{#
  Prints, after a run, a sentence for what failed only because another run wrote the same at the same moment: Spark's and the catalog's own
  words for it do not say so, nor that saying the command again is all it takes. A seed that fails counts so whatever is said of it: dbt drops its table and
  makes it anew in each build, and its lines are always the same.
#}
{% macro log_write_conflicts(results) %}
    {%- set words = 'CommitFailedException|CommitStateUnknownException|Found conflicting files|AlreadyExistsException|ALREADY_EXISTS|SQLITE_(BUSY|LOCKED|CONSTRAINT)'
        ~ '|Metadata location .* has changed|DELTA_CONCURRENT|DELTA_(METADATA|PROTOCOL)_CHANGED|Connection is broken|written by another run meanwhile' -%}
    {%- set names = [] -%}
    {%- for result in results if result.status in ['error', 'fail'] and (result.node.resource_type == 'seed' or modules.re.search(words, result.message or '')) -%}
        {%- do names.append(result.node.name) -%}
    {%- endfor -%}
    {%- if execute and names -%}
        {{ log('kafka_cdc: another run was in the way of ' ~ names | join(', ') ~ '. Nothing is lost and nothing is there twice: say the same dbt command again.', info=true) }}
    {%- endif -%}
{% endmacro %}
