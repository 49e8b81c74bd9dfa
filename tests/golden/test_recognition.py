"""A query recognizes a message once: Spark computes a column again for each condition on it."""

ONE_MESSAGE = '{"type": "INSERT", "data": [{"id": "1"}], "isDdl": false, "gtid": "", "id": 1}'


def test_a_filter_on_the_format_does_not_recognize_again(project):
    recognition = project("recognition")
    recognition.land([{"topic": "shop", "value": ONE_MESSAGE}])
    recognition.dbt("run", "--select", "recognized_messages")
    query = (
        "select kafka_topic, source_format from cdc_recognition_staging.recognized_messages "
        "where source_format is null or source_format in ('canal', 'debezium')"
    )
    settings = recognition.spark.conf
    length = settings.get("spark.sql.maxPlanStringLength")
    settings.set("spark.sql.maxPlanStringLength", "1000000")
    plan = recognition.spark.sql(query)._jdf.queryExecution().optimizedPlan().toString()
    settings.set("spark.sql.maxPlanStringLength", length)
    assert plan.count("from_json(StructField(__op,") == 1
    assert recognition.query(query) == [{"kafka_topic": "shop", "source_format": "canal"}]
