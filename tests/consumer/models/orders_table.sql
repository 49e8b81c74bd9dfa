{{ kafka_cdc.current_table('shop.orders', source='shop') }}
