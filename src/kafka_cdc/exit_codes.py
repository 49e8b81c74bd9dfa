"""The exit codes of `kafka-cdc`, and what each one means."""

SUCCESS = 0
FAILURE = 1
USAGE = 2
REJECTED = 3
INTERRUPTED = 130

MEANINGS: dict[int, str] = {
    SUCCESS: (
        "All available messages landed. Lost offsets, open transactions and an unreachable schema"
        " registry are logged, but do not fail the command. `kafka-cdc run` has also built,"
        " tested and published it."
    ),
    FAILURE: (
        "The command failed before everything had landed, or `kafka-cdc run` could not build it."
        " The reason is on stderr. `kafka-cdc land schemas`: the registry did not return a"
        " schema. `kafka-cdc session status`: no session runs."
        " `kafka-cdc typed-models --check`: a file would change, or a"
        " model has no table."
    ),
    USAGE: "The command line is invalid.",
    REJECTED: "Some files or partitions were rejected. stderr lists them. Everything else landed.",
    INTERRUPTED: (
        "SIGTERM or Ctrl-C stopped the command. Landing finishes its current commit, for at most"
        " 20 seconds. `kafka-cdc run` finishes its current commit or build, however long it takes."
        " A second signal stops it immediately."
    ),
}
