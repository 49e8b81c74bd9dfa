{{ kafka_cdc.current_table('inventory.customers', source='canal') }}
