{{ kafka_cdc.current_table('inventory.customers', source='wal2json') }}
