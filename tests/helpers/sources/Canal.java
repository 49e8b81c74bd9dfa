import com.alibaba.otter.canal.connector.core.producer.MQDestination;
import com.alibaba.otter.canal.connector.core.util.Callback;
import com.alibaba.otter.canal.connector.kafka.producer.CanalKafkaProducer;
import com.alibaba.otter.canal.instance.manager.CanalInstanceWithManager;
import com.alibaba.otter.canal.instance.manager.model.Canal;
import com.alibaba.otter.canal.instance.manager.model.CanalParameter;
import com.alibaba.otter.canal.protocol.ClientIdentity;
import com.alibaba.otter.canal.protocol.Message;
import com.alibaba.otter.canal.server.embedded.CanalServerWithEmbedded;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * Canal's own server with its own Kafka producer. Canal's launcher, which is not published as a jar, connects them in the
 * same way. The positions are in a folder.
 *
 * Arguments: folder, port of the database, binary log file, position, filter, brokers, topic, partitions, partition hash.
 */
class CanalMain {
    public static void main(String[] arguments) {
        CanalParameter parameter = new CanalParameter();
        parameter.setMetaMode(CanalParameter.MetaMode.LOCAL_FILE);
        parameter.setDataDir(arguments[0]);
        parameter.setMetaFileFlushPeriod(200);
        parameter.setStorageMode(CanalParameter.StorageMode.MEMORY);
        parameter.setMemoryStorageBufferSize(16 * 1024);
        parameter.setIndexMode(CanalParameter.IndexMode.META);
        parameter.setSourcingType(CanalParameter.SourcingType.MYSQL);
        parameter.setHaMode(CanalParameter.HAMode.HEARTBEAT);
        InetSocketAddress database = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
        CanalParameter.DataSourcing sourcing = new CanalParameter.DataSourcing();
        sourcing.setType(CanalParameter.SourcingType.MYSQL);
        sourcing.setDbAddress(database);
        parameter.setGroupDbAddresses(List.of(List.of(sourcing)));
        parameter.setDbUsername("captor");
        parameter.setDbPassword("a password");
        parameter.setPositions(List.of("{\"journalName\":\"" + arguments[2] + "\",\"position\":" + arguments[3] + ",\"timestamp\":0}"));
        parameter.setSlaveId(1234L);
        parameter.setConnectionCharset("UTF-8");
        parameter.setDefaultConnectionTimeoutInSeconds(30);
        parameter.setReceiveBufferSize(64 * 1024);
        parameter.setSendBufferSize(64 * 1024);
        parameter.setDetectingEnable(false);
        parameter.setDetectingIntervalInSeconds(5);
        parameter.setTsdbEnable(false);
        parameter.setGtidEnable(false);
        parameter.setParallel(false);
        parameter.setMemoryStorageRawEntry(false);
        Canal canal = new Canal();
        canal.setId(1L);
        canal.setName("shop");
        canal.setCanalParameter(parameter);

        CanalServerWithEmbedded server = CanalServerWithEmbedded.instance();
        server.setCanalInstanceGenerator(destination -> new CanalInstanceWithManager(canal, arguments[4]));
        server.start();
        server.start("shop");
        ClientIdentity client = new ClientIdentity("shop", (short) 1001, arguments[4]);
        server.subscribe(client);

        Properties properties = new Properties();
        properties.setProperty("canal.mq.flatMessage", "true");
        properties.setProperty("kafka.bootstrap.servers", arguments[5]);
        properties.setProperty("kafka.acks", "all");
        properties.setProperty("kafka.max.in.flight.requests.per.connection", "1");
        properties.setProperty("kafka.max.request.size", "10000000");
        CanalKafkaProducer producer = new CanalKafkaProducer();
        producer.init(properties);
        MQDestination destination = new MQDestination();
        destination.setCanalDestination("shop");
        destination.setTopic(arguments[6]);
        destination.setPartition(0);
        if (!arguments[8].isEmpty()) {
            destination.setPartitionsNum(Integer.parseInt(arguments[7]));
            destination.setPartitionHash(arguments[8]);
        }

        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
        System.out.println("CANAL RUNS");
        while (true) {
            Message message = server.getWithoutAck(client, 100, 200L, TimeUnit.MILLISECONDS);
            long batch = message.getId();
            if (batch == -1 || message.getEntries().isEmpty()) {
                continue;
            }
            producer.send(destination, message, new Callback() {
                @Override
                public void commit() {
                    server.ack(client, batch);
                }

                @Override
                public void rollback() {
                    server.rollback(client, batch);
                }
            });
        }
    }
}
