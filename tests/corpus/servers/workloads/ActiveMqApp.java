package servers;

import javax.jms.BytesMessage;
import javax.jms.Connection;
import javax.jms.DeliveryMode;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.TransportConnector;
import org.apache.activemq.broker.region.policy.PolicyEntry;
import org.apache.activemq.broker.region.policy.PolicyMap;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;

/** A broker, somebody who sends orders, and somebody who takes them. */
public final class ActiveMqApp {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        Path folder = Files.createTempDirectory("mq");
        BrokerService broker = new BrokerService();
        broker.setUseJmx(false);
        broker.setDataDirectory(folder.toString());
        broker.setPersistent(settings.flag("mq.stored", false));
        broker.setAdvisorySupport(settings.flag("mq.advisories", false));
        broker.setUseShutdownHook(false);
        if (broker.isPersistent()) {
            KahaDBPersistenceAdapter store = new KahaDBPersistenceAdapter();
            store.setDirectory(folder.resolve("kaha").toFile());
            store.setJournalMaxFileLength(settings.number("mq.journal.bytes", 16_000_000));
            store.setIndexCacheSize(settings.number("mq.index.pages", 10_000));
            broker.setPersistenceAdapter(store);
        }
        broker.getSystemUsage().getMemoryUsage().setLimit(settings.number("mq.memory.bytes", 64_000_000));
        PolicyEntry policy = new PolicyEntry();
        policy.setProducerFlowControl(settings.flag("mq.producers.held", false));
        policy.setMaxPageSize(settings.number("mq.page.messages", 200));
        PolicyMap policies = new PolicyMap();
        policies.setDefaultEntry(policy);
        broker.setDestinationPolicy(policies);
        TransportConnector connector = broker.addConnector("tcp://localhost:0");
        broker.start();
        broker.waitUntilStarted();
        ActiveMQConnectionFactory factory =
                new ActiveMQConnectionFactory("tcp://localhost:" + connector.getConnectUri().getPort());
        factory.setUseCompression(settings.flag("mq.packed", false));
        factory.setUseAsyncSend(settings.flag("mq.sent.async", true));
        factory.setCopyMessageOnSend(settings.flag("mq.sent.copied", false));
        factory.setOptimizeAcknowledge(settings.flag("mq.acknowledged.late", false));
        factory.getPrefetchPolicy().setQueuePrefetch(settings.number("mq.prefetch", 1000));
        factory.setWatchTopicAdvisories(false);
        exchange(settings, factory, Integer.parseInt(args[0]));
        System.exit(0);
    }

    private static void exchange(Settings settings, ActiveMQConnectionFactory factory, int messages)
            throws Exception {
        int batch = settings.number("mq.commit.messages", 50);
        try (Connection in = factory.createConnection(); Connection out = factory.createConnection()) {
            in.start();
            out.start();
            Session sending = in.createSession(true, Session.SESSION_TRANSACTED);
            Queue orders = sending.createQueue("orders");
            MessageProducer producer = sending.createProducer(orders);
            producer.setDeliveryMode(
                    settings.flag("mq.stored", false) ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            Session taking = out.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = taking.createConsumer(orders);
            byte[] body = new byte[3000];
            for (int at = 0; at < body.length; at++) {
                body[at] = (byte) ('a' + at * at % 19);
            }
            long bytes = 0;
            for (int round = 0; round < messages; round += 500) {
                for (int at = 1; at <= 500; at++) {
                    BytesMessage message = sending.createBytesMessage();
                    message.writeBytes(body);
                    producer.send(message);
                    if (at % batch == 0) {
                        sending.commit();
                    }
                }
                sending.commit();
                for (int at = 0; at < 500; at++) {
                    bytes += ((BytesMessage) consumer.receive()).getBodyLength();
                }
            }
            System.out.println(bytes);
        }
    }
}
