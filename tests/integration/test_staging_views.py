"""A build gives a staging view its query if messages may have its format.

Until then the view has no rows.
"""

import json
import os

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
CANAL = {
    "database": "shop",
    "table": "orders",
    "type": "INSERT",
    "isDdl": False,
    "es": 1_700_000_000_000,
    "gtid": "",
    "id": 1,
    "mysqlType": {"id": "int"},
    "pkNames": ["id"],
    "data": [{"id": "1"}],
}
MAXWELL = {
    "database": "shop",
    "table": "bills",
    "type": "insert",
    "ts": 1_700_000_000,
    "xid": 1,
    "commit": True,
    "primary_key_columns": ["id"],
    "data": {"id": 2},
}
VIEW = "cdc_staged_staging.stg_{}__events"
RUN = [
    "run",
    "--select",
    "recognized_messages",
    "events",
    "event_batch_stats",
    *(f"stg_{slug}__events" for slug in ("canal", "maxwell", "sequin")),
]


def test_a_view_has_its_query_from_the_first_message_on(project):
    staged = project("staged", topics=[{"topic": "later", "format": "sequin", "source": "later"}])

    def keys(slug):
        return [row["row_key"] for row in staged.query(f"select row_key from {VIEW.format(slug)}")]

    def columns(slug):
        names = ("col_name", "data_type")
        rows = staged.query(f"describe {VIEW.format(slug)}")
        return [tuple(row[name] for name in names) for row in rows]

    def statement(slug):
        (row,) = staged.query(f"show create table {VIEW.format(slug)}")
        return " ".join(row["createtab_stmt"].split())

    staged.land([{"topic": "canal", "value": json.dumps(CANAL)}])
    staged.dbt(*RUN)
    assert keys("canal") == ['{"id":"1"}'] and keys("maxwell") == []
    assert columns("maxwell") == columns("canal")
    assert statement("maxwell").endswith("where false")
    assert "from_json" in statement("sequin")  # the setting topics names it

    compiled = staged.dbt("compile", "--select", "stg_maxwell__events").result.results[0]
    assert "from_json" in compiled.node.compiled_code

    staged.land([{"topic": "maxwell", "value": json.dumps(MAXWELL)}])
    for _ in range(2 if IS_LONG else 1):  # the second run finds nothing new
        staged.dbt(*RUN)
        assert keys("canal") == ['{"id":"1"}'] and keys("maxwell") == ['{"id":"2"}']
