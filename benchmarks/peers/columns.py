"""The columns that peers have to declare, with the types of Spark."""

KEY = "id"
COLUMNS = {
    "id": "bigint",
    "customer": "string",
    "email": "string",
    "status": "string",
    "quantity": "int",
    "amount": "decimal(38,10)",
    "weight": "double",
    "note": "string",
    "carrier": "string",
    "version": "bigint",
}
