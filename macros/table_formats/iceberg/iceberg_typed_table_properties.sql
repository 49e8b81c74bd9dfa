{#
  Returns the properties of typed tables on Iceberg, dict[string, string].

  A merge copies the data files that it changes (copy-on-write), because every engine can read them.
  The configuration tblproperties of a model can choose merge-on-read.
#}
{% macro iceberg_typed_table_properties() %}
    {{ return({
        'format-version': '2',
        'write.merge.mode': 'copy-on-write',
        'write.metadata.delete-after-commit.enabled': 'true',
    }) }}
{% endmacro %}
