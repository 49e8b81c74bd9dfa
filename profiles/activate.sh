
# kafka_cdc: lets dbt find the project from every folder.
export KAFKA_CDC_HOME="${VIRTUAL_ENV%/*}"
export DBT_PROFILES_DIR="${DBT_PROFILES_DIR:-$KAFKA_CDC_HOME/profiles}"
# dbt sets a static setting of Spark in each statement. Spark Connect warns each time that it cannot.
export PYTHONWARNINGS="${PYTHONWARNINGS:-ignore:Failed to set spark.sql.catalogImplementation}"
