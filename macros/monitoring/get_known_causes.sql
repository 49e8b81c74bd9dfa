{#
  Returns what errors of Spark, the catalog or Java mean. The first one that matches counts.

  `kafka-cdc` has the same ones in KNOWN_CAUSES, and a test compares the two.

  Returns: a list of dictionaries with `pattern`, a regular expression that occurs in the error,
    `problem`, what is wrong, and `hint`, what helps.
#}
{% macro get_known_causes() %}
    {{ return([
        {
            'pattern': [
                'OutOfMemoryError',
                'Java heap space',
                'GC overhead limit',
                'UNABLE_TO_ACQUIRE_MEMORY',
            ] | join('|'),
            'problem': 'Spark ran out of memory',
            'hint': 'set KAFKA_CDC_MEMORY, for example to 2g',
        },
        {
            'pattern': [
                'No space left on device',
                'Disk quota exceeded',
                'SQLITE_FULL',
            ] | join('|'),
            'problem': 'the disk is full',
            'hint': 'free space on the disks of KAFKA_CDC_LAKE and TMPDIR, then run the command again',
        },
        {
            'pattern': [
                'SQLITE_READONLY',
                'SQLITE_CANTOPEN',
                'Read-only file system',
                '\\(Permission denied\\)',
                'AccessDeniedException',
                'Mkdirs failed',
                'Unable to create directory',
            ] | join('|'),
            'problem': 'the lake cannot be written',
            'hint': 'set KAFKA_CDC_LAKE to a folder that this user may write',
        },
        {
            'pattern': [
                'SQLITE_CORRUPT',
                'SQLITE_NOTADB',
                'file is not a database',
                'disk image is malformed',
            ] | join('|'),
            'problem': 'the file catalog.db of the lake is damaged',
            'hint': 'restore the lake from a backup, or set KAFKA_CDC_LAKE to another folder and land again',
        },
        {
            'pattern': [
                'Failed to open input stream',
                'FileNotFoundException: File \\S+ does not exist',
                'FILE_NOT_EXIST',
                'DELTA_TRUNCATED_TRANSACTION_LOG',
                'DELTA_LOG_FILE_NOT_FOUND',
            ] | join('|'),
            'problem': 'a file of the lake is missing',
            'hint': 'restore the lake from a backup, or set KAFKA_CDC_LAKE to another folder and land again',
        },
        {
            'pattern': [
                'Cannot find catalog plugin class',
                'ClassNotFoundException',
                'NoClassDefFoundError',
                'DATA_SOURCE_NOT_FOUND',
            ] | join('|'),
            'problem': 'a jar of Spark is missing or damaged',
            'hint': 'delete the folder .jars of the project, then run `make setup` there',
        },
    ]) }}
{% endmacro %}
