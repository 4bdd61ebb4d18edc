package servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.StorageType;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.transaction.TransactionMode;

/** A service that keeps what it computes for a key. */
public final class InfinispanApp {
    private static final int KEYS = 4000;
    private final Cache<String, ArrayList<Long>> cache;

    InfinispanApp(Cache<String, ArrayList<Long>> cache) {
        this.cache = cache;
    }

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        GlobalConfigurationBuilder global = new GlobalConfigurationBuilder().nonClusteredDefault();
        global.serialization().marshaller(new org.infinispan.commons.marshall.JavaSerializationMarshaller());
        global.serialization().allowList().addRegexps(".*");
        ConfigurationBuilder builder = new ConfigurationBuilder();
        builder.statistics().enabled(settings.flag("store.statistics", false));
        builder.memory().maxCount(settings.number("store.entries.max", 10_000));
        builder.expiration().lifespan(settings.number("store.lifespan", 3_600_000), TimeUnit.MILLISECONDS);
        builder.expiration().wakeUpInterval(settings.number("store.reaper", 60_000));
        if (settings.flag("store.serialized", false)) {
            builder.memory().storage(StorageType.HEAP);
            builder.encoding().mediaType(MediaType.APPLICATION_SERIALIZED_OBJECT_TYPE);
        }
        if (settings.flag("store.transactional", false)) {
            builder.transaction().transactionMode(TransactionMode.TRANSACTIONAL);
        }
        builder.locking().lockAcquisitionTimeout(settings.number("store.lock.timeout", 10_000));
        builder.invocationBatching().enable(settings.flag("store.batching", false));
        try (DefaultCacheManager manager = new DefaultCacheManager(global.build())) {
            manager.defineConfiguration("values", builder.build());
            InfinispanApp app = new InfinispanApp(manager.getCache("values"));
            Random random = new Random(3);
            long sum = 0;
            for (int request = 0; request < Integer.parseInt(args[0]); request++) {
                sum += app.answer("key" + random.nextInt(KEYS));
            }
            System.out.println(sum);
        }
    }

    long answer(String key) {
        List<Long> values = cache.get(key);
        if (values == null) {
            ArrayList<Long> found = computed(key);
            cache.put(key, found);
            values = found;
        }
        long sum = 0;
        for (int turn = 0; turn < 20; turn++) {
            for (long value : values) {
                sum += value ^ turn;
            }
        }
        return sum;
    }

    private ArrayList<Long> computed(String key) {
        ArrayList<Long> found = new ArrayList<>();
        for (int at = 0; at < 100; at++) {
            long hash = 1125899906842597L;
            for (int turn = 0; turn < 30; turn++) {
                hash = 31 * hash + key.charAt(turn % key.length()) + at;
            }
            found.add(hash);
        }
        return found;
    }
}
