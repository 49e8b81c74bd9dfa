"""A random but seeded workload on a database. It prints SQL, and only the database has the result.

A dialect defines the tables and how the values of each type are written. The workload remembers the keys of the live rows,
so that it can change them.
"""

import random


class Table:
    """A table of the workload: its columns, name → a function that makes a literal from a random.Random; the first `keys` are the key."""

    def __init__(self, name, columns, keys=1, weight=1, is_emptied=False):
        self.name, self.columns, self.weight, self.is_emptied = name, columns, weight, is_emptied
        self.keys = list(columns)[:keys]
        self.live = []

    def values(self, rng, names):
        """Return a literal for each of some columns."""
        return {name: self.columns[name](rng) for name in names}


class Workload:
    """Transactions on some tables; the same seed and dialect make the same ones."""

    def __init__(self, seed, tables, begin="begin", empty="truncate table {}", is_undone=True):
        """is_undone: whether a transaction can undo what empties a table; where it cannot, that ends the transaction."""
        self.rng, self.tables, self.begin, self.empty, self.is_undone = (
            random.Random(seed),
            tables,
            begin,
            empty,
            is_undone,
        )

    def transactions(self, count):
        """Return the SQL of so many transactions."""
        return "\n".join(self.transaction() for _ in range(count)) + "\n"

    def transaction(self):
        """Return the SQL of one transaction: one statement to eight, one transaction in eight rolled back, whole or to a savepoint."""
        rng = self.rng
        before = [list(table.live) for table in self.tables]
        statements = [self.statement() for _ in range(rng.choice([1, 1, 1, 2, 3, 8]))]
        fate = rng.random()
        if fate < 0.06 and self.can_undo(statements):
            for table, live in zip(self.tables, before):
                table.live = live
            return f"{self.begin};\n" + "\n".join(statements) + "\nrollback;"
        if fate < 0.12:
            kept = [list(table.live) for table in self.tables]
            undone = [self.statement() for _ in range(2)]
            if not self.can_undo(statements + undone):
                return "\n".join(statements + undone)
            for table, live in zip(self.tables, kept):
                table.live = live
            return "\n".join(
                [
                    f"{self.begin};",
                    *statements,
                    "savepoint here;",
                    *undone,
                    "rollback to savepoint here;",
                    "commit;",
                ]
            )
        if len(statements) == 1 and fate < 0.5:
            return statements[0]
        return "\n".join([f"{self.begin};", *statements, "commit;"])

    def can_undo(self, statements):
        """Return whether statements can be rolled back."""
        emptying = {self.empty.format(table.name) + ";" for table in self.tables}
        return self.is_undone or not emptying.intersection(statements)

    def statement(self):
        """Return one statement of a random table."""
        rng = self.rng
        table = rng.choices(self.tables, [table.weight for table in self.tables])[0]
        others = list(table.columns)[len(table.keys) :]
        wanted = rng.random()
        if table.is_emptied and wanted < 0.03:
            table.live = []
            return self.empty.format(table.name) + ";"
        if len(table.live) < 5 or wanted < 0.35 and len(table.live) < 4000:
            rows = []
            for _ in range(rng.choice([1, 1, 1, 4])):
                key = tuple(self.columns_of(table).values())
                if key not in table.live:
                    table.live.append(key)
                    rows.append([*key, *table.values(rng, others).values()])
            if rows:
                return (
                    f"insert into {table.name} ({', '.join(table.columns)}) values "
                    + ", ".join(f"({', '.join(row)})" for row in rows)
                    + ";"
                )
        key = rng.choice(table.live)
        if wanted < 0.75:
            chosen = rng.sample(
                others, rng.choice([1, 1, 2, len(others)]) if len(others) > 2 else 1
            )
            if rng.random() < 0.1:
                number = rng.randrange(2, 7)  # many rows at once
                keys = rng.sample(table.live, min(number, len(table.live)))
                return f"update {table.name} set {self.assigned(table.values(rng, chosen))} where {' or '.join(f'({self.where(table, k)})' for k in keys)};"
            return f"update {table.name} set {self.assigned(table.values(rng, chosen))} where {self.where(table, key)};"
        if wanted < 0.85:
            new = tuple(self.columns_of(table).values())
            if new not in table.live:
                table.live[table.live.index(key)] = new
                changed = dict(zip(table.keys, new)) | (
                    table.values(rng, others[:1]) if rng.random() < 0.5 else {}
                )
                return f"update {table.name} set {self.assigned(changed)} where {self.where(table, key)};"
        table.live.remove(key)
        return f"delete from {table.name} where {self.where(table, key)};"

    def columns_of(self, table):
        """Return a random key."""
        return table.values(self.rng, table.keys)

    @staticmethod
    def assigned(values):
        return ", ".join(f"{name} = {value}" for name, value in values.items())

    @staticmethod
    def where(table, key):
        return " and ".join(f"{name} = {value}" for name, value in zip(table.keys, key))


def quoted(text):
    """Return a text as a literal."""
    return "'" + text.replace("'", "''") + "'"


def one_of(*literals, none=0.1):
    """Return a maker of literals: one of some, or null."""
    return lambda rng: "null" if rng.random() < none else rng.choice(literals)


def number(low, high, none=0.1):
    """Return a maker of whole numbers, often at the ends of their range."""
    return lambda rng: (
        "null"
        if rng.random() < none
        else str(
            rng.choice(
                [low, high, 0, -1 if low < 0 else 1, rng.randint(low, high), rng.randint(low, high)]
            )
        )
    )


def key(low, high):
    """Return a maker of whole numbers, seldom at the ends of their range."""
    return lambda rng: (
        str(rng.choice([low, high])) if rng.random() < 0.05 else str(rng.randint(low, high))
    )


WORDS = [
    "",
    " ",
    "a",
    "O'Hara",
    "NULL",
    "null",
    "\\N",
    "back\\slash",
    'quo"te',
    "tab\there",
    "line\nbreak",
    "cr\r\n",
    "é",
    "e\u0301",
    "库存",
    "😀",
    "👩‍👩‍👧",
    "\u2028",
    "\ufeffbom",
    "ß",
    "\u202eright",
    '{"a": 1}',
    "${x}",
    "{{ y }}",
    "1.10",
    "true",
    "\x7f",
    "\x01",
    "__debezium",
    "trailing ",
]


def words(longest=40, none=0.1):
    """Return a maker of texts."""

    def make(rng):
        if rng.random() < none:
            return "null"
        return quoted("".join(rng.choice(WORDS) for _ in range(rng.choice([1, 1, 2, 3])))[:longest])

    return make


def characters(low, high, none=0.1):
    """Return a maker of long texts of random characters, which no database can make short."""
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789é库😀"
    return lambda rng: (
        "null"
        if rng.random() < none
        else quoted("".join(rng.choices(alphabet, k=rng.randint(low, high))))
    )
