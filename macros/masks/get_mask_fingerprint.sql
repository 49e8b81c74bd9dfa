{#
  Returns a fingerprint of the secret that hashes, a string. It raises an error without a secret.

  Spark computes it, because only Spark's processes must have the secret. The fingerprint is a hash
  of a constant, so it shows a changed secret and not the secret.
#}
{% macro get_mask_fingerprint() %}
    {%- if not execute -%}
        {{ return('') }}
    {%- endif -%}

    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if 'mask_fingerprint' not in memory -%}
        {%- set hash -%}
            if(length(secret) < 16, null, left({{ kafka_cdc.keyed_hash("'kafka_cdc'", 'secret') }}, 12))
        {%- endset -%}
        {%- set query = 'select ' ~ kafka_cdc.sql_let({'secret': kafka_cdc.mask_secret()}, hash) ~ ' as fingerprint' -%}
        {%- do memory.update({'mask_fingerprint': run_query(query).rows[0][0]}) -%}
    {%- endif -%}

    {%- if memory.mask_fingerprint is none -%}
        {{ kafka_cdc.raise_error(
            'the setting tables masks a column with hash, and Spark has no secret of at least 16 characters',
            'set KAFKA_CDC_MASK_SECRET in the environment of Spark, or KAFKA_CDC_MASK_SECRET_FILE for kafka-cdc; '
                ~ 'docs/guides/masks.md explains both'
        ) }}
    {%- endif -%}
    {{ return(memory.mask_fingerprint) }}
{% endmacro %}
