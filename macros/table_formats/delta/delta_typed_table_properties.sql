{#
  Returns the properties of typed tables on Delta, dict[string, string].

  There are no deletion vectors, because not every engine can read them. The log records no minimum
  and maximum, because content of an erased row must not remain there.
#}
{% macro delta_typed_table_properties() %}
    {{ return({
        'delta.isolationLevel': 'Serializable',
        'delta.enableDeletionVectors': 'false',
        'delta.enableChangeDataFeed': 'false',
        'delta.dataSkippingNumIndexedCols': '0',
    }) }}
{% endmacro %}
