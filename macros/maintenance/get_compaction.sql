{# Returns the arguments by which raw's small files become large ones, in raw's own order, without the rows that were rewritten. #}
{% macro get_compaction() %}
    {{ return(", strategy => 'sort', options => map('min-input-files', '5', 'delete-file-threshold', '1', 'remove-dangling-deletes', 'true', 'partial-progress.enabled', 'true')") }}
{% endmacro %}
