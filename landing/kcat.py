"""Lines of `kcat -J`, which wraps each message in one JSON object."""

from uuid import uuid4

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

TOPIC = "[a-zA-Z0-9._-]{1,249}"
LAST_MILLISECOND = 253402300799999  # of the year 9999
END = uuid4().hex  # the line is parsed as the array [line,{END}]: Spark would ignore what follows the object in a line alone
FIELDS = ("topic", "partition", "offset", "ts", "tstype", "headers", "key", "payload")
SCHEMA = f"array<struct<{', '.join(f'`{name}`: variant' for name in FIELDS)}, `{END}`: boolean>>"
OPTIONS = {"maxStringLen": str(2**31 - 1), "allowSingleQuotes": "false", "allowNonNumericNumbers": "false"}


def parse(lines: DataFrame, prefix: str) -> DataFrame:
    """Return `lines`, its text replaced by topic, partition, offset, timestamp, key, value, headers and why.

    why: what is wrong with the line, or null.
    """
    others = [name for name in lines.columns if name != "text"]
    parsed = F.from_json(F.concat(F.lit("["), "text", F.lit(f',{{"{END}":true}}]')), SCHEMA, OPTIONS)
    return lines.select("*", once(F.struct(parsed.alias("parsed")))).select(*others, once(get_message(prefix)))


def once(struct: Column) -> Column:
    """Return the fields of `struct` as columns out of a generator: Spark would compute an expression anew for each use."""
    return F.inline(F.array(struct))


def get_message(prefix: str) -> Column:
    """Return the struct that parse() puts in the place of text, from the columns text and parsed."""

    def get(name: str, type_: str) -> Column:
        return F.try_variant_get(F.get("parsed", F.lit(0))[name], "$", type_)

    def has_type(name: str, *types: str) -> Column:
        """Return whether the field has one of these JSON types; MISSING is one of them."""
        return F.coalesce(F.schema_of_variant(F.get("parsed", F.lit(0))[name]), F.lit("MISSING")).isin(*types)

    milliseconds = get("ts", "bigint")
    headers = get("headers", "array<string>")
    names = F.filter(headers, lambda _, place: place % 2 == 0)
    is_one_value = (F.size("parsed") == 2) & F.get("parsed", F.lit(1))[END]
    faults = [
        (F.is_valid_utf8("text"), "it is not valid UTF-8"),
        (is_one_value & F.get("parsed", F.lit(0)).isNotNull(), "it is not one JSON object"),
        (~has_half_a_character(F.col("text")), r"it has one half (\ud800 to \udfff) of a surrogate pair without the other"),
        (has_type("topic", "STRING") & get("topic", "string").rlike(rf"\A{TOPIC}\z"), "its topic is not a Kafka topic's name"),
        (has_type("partition", "BIGINT") & (get("partition", "int") >= 0), "its partition is not a number from 0"),
        (has_type("offset", "BIGINT") & (get("offset", "bigint") >= 0), "its offset is not a number from 0"),
        (has_type("payload", "STRING", "VOID"), "its payload is neither a string nor null"),
        (has_type("key", "STRING", "VOID", "MISSING"), "its key is neither a string nor null"),
        (
            has_type("ts", "VOID", "MISSING") | (has_type("ts", "BIGINT") & (milliseconds <= LAST_MILLISECOND)),
            "its ts is not a time in milliseconds",
        ),
        (
            has_type("headers", "VOID", "MISSING", "ARRAY<VOID>")
            | (has_type("headers", "ARRAY<STRING>") & (F.size(headers) % 2 == 0) & ~F.exists(names, F.isnull)),
            "its headers are not a list of name, value, name, value, …",
        ),
    ]
    has_time = (milliseconds >= 0) & (F.coalesce(get("tstype", "string"), F.lit("")) != "unknown")
    return F.struct(
        F.concat(F.lit(prefix), get("topic", "string")).alias("topic"),
        get("partition", "int").alias("partition"),
        get("offset", "bigint").alias("offset"),
        F.when(has_time, F.timestamp_millis(milliseconds)).alias("timestamp"),
        get("key", "string").alias("key"),
        get("payload", "string").alias("value"),
        F.when(F.size(names) > 0, F.transform(names, lambda name, place: pair(name, F.get(headers, 2 * place + 1)))).alias("headers"),
        F.coalesce(*(F.when(~F.coalesce(good, F.lit(False)), f"not a line of kcat -J: {why}") for good, why in faults)).alias("why"),
    )


def pair(name: Column, value: Column) -> Column:
    """Return one header."""
    return F.struct(name.alias("key"), value.cast("binary").alias("value"))


def has_half_a_character(line: Column) -> Column:
    r"""Return whether the JSON text escapes one half of a surrogate pair without the other: no UTF-8 text can hold it."""
    whole = F.regexp_replace(line, r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}", " ")
    may_have = F.contains(line, F.lit(r"\ud")) | F.contains(line, F.lit(r"\uD"))
    return may_have & F.rlike(whole, F.lit(r"\\u[dD][89a-fA-F]"))
