{#
  Returns the setting `envelope` of a topic, checked: the paths by which the format custom reads a message.

  Arguments:
    setting (string): the path of the setting, such as topics[entry 1: drs_*].envelope.
    envelope (any): its value.

  Returns: a dictionary with all keys. Keys that the setting lacks are none, and `sequence` is a list.
    The codes in `operations` are texts.
#}
{% macro get_envelope(setting, envelope) %}
    {%- set path = {
        'kind': 'path',
        'match': '[A-Za-z0-9_$@-]+([.][A-Za-z0-9_$@-]+)*',
        'description': 'a path of member names with dots between them',
        'example': 'meta.op',
    } -%}
    {%- set row_path = dict(
        path,
        match='([.]|' ~ path.match ~ ')',
        description=path.description ~ ', or . for the message itself'
    ) -%}
    {%- set rules = {
        'operation': dict(path, required=true),
        'operations': {'kind': 'mapping', 'required': true, 'example': '{I: insert, U: update, D: delete}'},
        'database': path,
        'schema': path,
        'table': path,
        'key': path,
        'before': row_path,
        'before_contains': {'kind': 'choice', 'valid': ['row', 'changes']},
        'after': dict(row_path, required=true),
        'after_contains': {'kind': 'choice', 'valid': ['row', 'changes']},
        'sequence': dict(path, kind='paths'),
        'occurred_at': path,
        'emitted_at': path,
        'time_unit': {'kind': 'choice', 'valid': ['text', 's', 'ms', 'us']},
        'column_types': path,
    } -%}
    {%- do kafka_cdc.check_setting_line(setting, envelope, rules) -%}

    {%- set valid_operations = [
        'insert', 'update', 'delete', 'snapshot', 'truncate', 'heartbeat', 'transaction', 'other'
    ] -%}
    {%- set operations = {} -%}
    {%- for code, operation in envelope.operations.items() -%}
        {%- set is_code = (code is string or code is integer) and code is not boolean -%}
        {%- if not is_code or not modules.re.match('[^\\x00-\\x1f\'"\\\\]+\\Z', code ~ '') -%}
            {{ kafka_cdc.raise_setting_error(
                setting=setting ~ '.operations',
                value=code,
                valid='codes that are texts without quotes, backslashes and control characters',
                hint="put a code such as 'true' or 'on' in quotes"
            ) }}
        {%- elif operation not in valid_operations -%}
            {{ kafka_cdc.raise_setting_error(
                setting=setting ~ '.operations.' ~ code,
                value=operation,
                valid=valid_operations | join(', '),
                hint='map an upsert to snapshot, and a message to ignore to other'
            ) }}
        {%- endif -%}
        {%- do operations.update({code ~ '': operation}) -%}
    {%- endfor -%}

    {%- set checked = {} -%}
    {%- for key in rules -%}
        {%- do checked.update({key: envelope.get(key)}) -%}
    {%- endfor -%}
    {%- set sequence = envelope.get('sequence') or [] -%}
    {%- do checked.update({
        'operations': operations,
        'sequence': [sequence] if sequence is string else sequence | list,
    }) -%}
    {%- do kafka_cdc.get_envelope_fields(checked, setting) -%}
    {{ return(checked) }}
{% endmacro %}
