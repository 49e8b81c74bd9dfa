{#
  Returns the fields of a change stream's updateDescription, which Debezium passes on as it is.

  Returns: dict[string, string], the field to its SQL type.
#}
{% macro get_mongodb_update_description() %}
    {{ return({
        'updatedFields': 'string',
        'removedFields': 'array<string>',
        'truncatedArrays': 'array<struct<field: string, newSize: string, size: string>>',
        'disambiguatedPaths': 'map<string, array<string>>',
    }) }}
{% endmacro %}
