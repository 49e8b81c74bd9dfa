{{ kafka_cdc.history_table('inventory.customers', source='canal') }}
