{#
  Returns the masks of each line of the setting `tables` that masks columns, in order.

  The first line that matches a table decides its number. Masks of later lines apply, too: for each
  column the first mask that matches counts. If it is known here whether a later line matches, its
  masks are listed without a condition or left out.

  Returns: a list of dictionaries:
    * table, source: the glob and the stream of the line.
    * rules: a list of dictionaries with column, mask, table and source. `table` and `source` are
      none unless the rule depends on them.
    * stamp: a fingerprint of the rules, and of the secret if a rule hashes.
#}
{% macro get_mask_rules() %}
    {%- set lines = kafka_cdc.get_table_settings() | selectattr('columns') | list -%}
    {%- set masked = [] -%}
    {%- for line in lines -%}
        {%- set is_name = '*' not in line.table and '?' not in line.table -%}
        {%- set rules = [] -%}
        {%- for other in lines[loop.index0:] -%}
            {%- set is_own = loop.first -%}
            {%- set is_same_table = is_own or other.table in ['*', line.table] -%}
            {%- set is_other_table = is_name and not kafka_cdc.has_glob_match(line.table, other.table) -%}
            {%- set is_other_source = line.source is not none and other.source not in [none, line.source] -%}
            {%- for rule in other.columns if not is_other_table and not is_other_source -%}
                {%- do rules.append(dict(
                    rule,
                    table=none if is_name or is_same_table else other.table,
                    source=none if is_own or other.source == line.source else other.source
                )) -%}
            {%- endfor -%}
        {%- endfor -%}

        {%- set has_hash = rules | selectattr('mask', 'equalto', 'hash') | list | length > 0 -%}
        {%- set fingerprint = kafka_cdc._get_mask_fingerprint() if has_hash else '' -%}
        {%- do masked.append({
            'table': line.table,
            'source': line.source,
            'rules': rules,
            'stamp': 'masked(' ~ local_md5(tojson([rules, fingerprint], sort_keys=true))[:12] ~ ')',
        }) -%}
    {%- endfor -%}
    {{ return(masked) }}
{% endmacro %}

{#
  Returns a fingerprint of the secret that hashes, a string. It raises an error without a secret.

  Spark computes it, because only Spark's processes must have the secret. The fingerprint is a hash
  of a constant, so it shows a changed secret and not the secret.
#}
{% macro _get_mask_fingerprint() %}
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
