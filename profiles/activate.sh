
# kafka_cdc: lets dbt find the project from every folder.
export KAFKA_CDC_HOME="${VIRTUAL_ENV%/*}"
export DBT_PROFILES_DIR="${DBT_PROFILES_DIR:-$KAFKA_CDC_HOME/profiles}"
