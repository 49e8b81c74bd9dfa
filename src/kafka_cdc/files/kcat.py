"""Lines of `kcat -J`, which wraps each message in one JSON object."""

from uuid import uuid4

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

TOPIC = "[a-zA-Z0-9._-]{1,249}"
MAX_TIMESTAMP = 253402300799999  # milliseconds, end of the year 9999
# The line is parsed as the array [line,{END}]. Spark would ignore what follows the object in a line
# alone.
END = uuid4().hex
FIELDS = (
    "topic variant, `partition` bigint, `offset` bigint, ts variant, tstype string,"
    " headers variant, key variant, payload variant"
)
OPTIONS = {
    "maxStringLen": str(2**31 - 1),
    "allowSingleQuotes": "false",
    "allowNonNumericNumbers": "false",
}


def parse(lines: DataFrame, prefix: str) -> DataFrame:
    """Parse lines of kcat.

    Args:
        lines: The column `text`, and others that are kept.
        prefix: The topic prefix.

    Returns:
        The lines with topic, partition, offset, timestamp, key, value, headers and `why` instead of
        `text`. `why` is what is wrong with the line, or null.
    """
    others = [name for name in lines.columns if name != "text"]
    array = F.concat(F.lit("["), "text", F.lit(f',{{"{END}":true}}]'))
    parsed = F.from_json(array, f"array<struct<{FIELDS}, `{END}` boolean>>", OPTIONS)
    # A generator, because Spark would otherwise parse the line again for each use.
    once = F.inline(F.array(F.struct(parsed.alias("parsed"))))
    return lines.select("*", once).select(*others, *get_message(prefix))


def get_message(prefix: str) -> list[Column]:
    """Return the columns by which parse() replaces `text`, from `text` and `parsed`."""
    line = F.get("parsed", F.lit(0))

    def has_type(name: str, *types: str) -> Column:
        """Return whether the field has one of these JSON types; null if it is missing."""
        return F.schema_of_variant(line[name]).isin(*types)

    milliseconds = F.try_variant_get(line["ts"], "$", "bigint")
    headers = F.try_variant_get(line["headers"], "$", "array<string>")
    topic = line["topic"].cast("string")
    end = F.get("parsed", F.lit(1))[END]
    faults = [
        (F.is_valid_utf8("text"), "it is not valid UTF-8"),
        (line.isNotNull() & (F.size("parsed") == 2) & end, "it is not one JSON object"),
        (
            ~has_lone_surrogate(F.col("text")),
            r"it has one half (\ud800 to \udfff) of a surrogate pair without the other",
        ),
        (
            has_type("topic", "STRING") & topic.rlike(rf"\A{TOPIC}\z"),
            "its topic is not a valid Kafka topic name",
        ),
        (line["partition"].between(0, 2**31 - 1), "its partition is not a number from 0"),
        (line["offset"] >= 0, "its offset is not a number from 0"),
        (has_type("payload", "STRING", "VOID"), "its payload is neither a string nor null"),
        (
            line["key"].isNull() | has_type("key", "STRING", "VOID"),
            "its key is neither a string nor null",
        ),
        (
            line["ts"].isNull()
            | has_type("ts", "VOID")
            | (has_type("ts", "BIGINT") & (milliseconds <= MAX_TIMESTAMP)),
            "its ts is not a time in milliseconds",
        ),
        (
            line["headers"].isNull()
            | has_type("headers", "VOID")
            | (has_type("headers", "ARRAY<VOID>", "ARRAY<STRING>") & are_pairs(headers)),
            "its headers are not a list of name, value, name, value, …",
        ),
    ]
    why = (
        F.when(~F.coalesce(good, F.lit(False)), f"not a line of kcat -J: {fault}")
        for good, fault in faults
    )
    has_time = milliseconds.between(0, MAX_TIMESTAMP) & (
        F.coalesce(line["tstype"], F.lit("")) != "unknown"
    )
    return [
        F.concat(F.lit(prefix), topic).alias("topic"),
        line["partition"].try_cast("int").alias("partition"),
        line["offset"].alias("offset"),
        F.when(has_time, F.timestamp_millis(milliseconds)).alias("timestamp"),
        line["key"].cast("string").alias("key"),
        line["payload"].cast("string").alias("value"),
        F.when(F.size(headers) > 0, pairs(headers)).alias("headers"),
        F.coalesce(*why).alias("why"),
    ]


def every_second(headers: Column, first: int) -> Column:
    """Return the names (`first` is 0) or the values (`first` is 1) of kcat's headers."""
    return F.filter(headers, lambda _, index: index % 2 == first)


def are_pairs(headers: Column) -> Column:
    """Return whether there are as many names as values, and no name is null."""
    return (F.size(headers) % 2 == 0) & ~F.exists(every_second(headers, 0), F.isnull)


def pairs(headers: Column) -> Column:
    """Return kcat's name, value, name, value, … as an array of structs."""
    return F.zip_with(
        every_second(headers, 0),
        every_second(headers, 1),
        lambda name, value: F.struct(name.alias("key"), value.cast("binary").alias("value")),
    )


def has_lone_surrogate(line: Column) -> Column:
    r"""Return whether the JSON text escapes one half of a surrogate pair without the other.

    UTF-8 cannot contain it.
    """
    whole = F.regexp_replace(
        line, r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}", " "
    )
    may_have = F.contains(line, F.lit(r"\ud")) | F.contains(line, F.lit(r"\uD"))
    return may_have & F.rlike(whole, F.lit(r"\\u[dD][89a-fA-F]"))
