{#
  Logs, after a run, which nodes failed only because another run wrote the same table.

  The errors of Spark and of the catalog do not show this, nor that it is enough to run the command
  again. A seed that fails always counts: dbt drops and recreates its table in each build, from the
  same rows.

  Arguments:
    results (list[any]): dbt's results of the run, as on-run-end hooks get them.
#}
{% macro log_write_conflicts(results) %}
    {%- set conflicts = [
        'CommitFailedException',
        'CommitStateUnknownException',
        'Found conflicting files',
        'AlreadyExistsException',
        'ALREADY_EXISTS',
        'SQLITE_(BUSY|LOCKED|CONSTRAINT)',
        'Metadata location .* has changed',
        'DELTA_CONCURRENT',
        'DELTA_(METADATA|PROTOCOL)_CHANGED',
        'Connection is broken',
        'written by another run',
    ] | join('|') -%}

    {%- set names = [] -%}
    {%- for result in results if result.status in ['error', 'fail'] -%}
        {%- if result.node.resource_type == 'seed' or modules.re.search(conflicts, result.message or '') -%}
            {%- do names.append(result.node.name) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if execute and names -%}
        {{ log(
            'kafka_cdc: another run wrote the same tables at the same time, so that these failed: '
            ~ names | join(', ') ~ '. No data is lost or duplicated. Run the same dbt command again.',
            info=true
        ) }}
    {%- endif -%}
{% endmacro %}
