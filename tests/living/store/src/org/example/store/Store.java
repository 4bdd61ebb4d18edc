package org.example.store;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.UnaryOperator;

/** Documents by id and by tag.  New versions are collected into blocks, which are packed, written and archived. */
public final class Store implements Closeable {

    /** A document as it lies in a block. */
    private record Entry(Document document, byte[] content) {
    }

    /** Where the last version of a document is: in a block, or still waiting for one. */
    private record Place(Entry waiting, Segments.Address block, int index, byte[] seal) {
    }

    private final StoreConfig config;
    private final Codec codec;
    private final Checks checks;
    private final Compressor compressor;
    private final Journal journal;
    private final Segments segments;
    private final Archive archive;
    private final Retry retry;
    private final LruCache<Long, Document> cache;
    private final StripedLocks locks;
    private final TagIndex index;
    private final ChangeFeed feed;
    private final EventLog log;

    private final NavigableMap<Long, Place> places = new ConcurrentSkipListMap<>();
    private final AtomicLong blocks = new AtomicLong();
    private List<Entry> batch = new ArrayList<>();

    Store(StoreConfig config, Settings settings, Archive archive, EventLog log) throws IOException {
        this.config = config;
        this.archive = archive;
        this.log = log;
        this.codec = Codec.of(config.getFormat());
        this.checks = new Checks(settings, codec);
        this.compressor = new Compressor(settings.number("store.compression.level", 3));
        this.journal = new Journal(config.getFolder().resolve("journal.dat"), config.getWriteBuffer(), config.isJournalSync());
        this.segments = new Segments(config.getFolder(), compressor, config.getSegmentBytes(), config.isKeepOpen());
        this.retry = new Retry(settings.number("store.retry.attempts", 6), settings.number("store.retry.backoff.millis", 2), log);
        this.cache = new LruCache<>(settings.number("store.cache.entries", 8192));
        this.locks = new StripedLocks(config.getStripes());
        this.index = config.isIndexed() ? new TagIndex() : null;
        this.feed = new ChangeFeed(this::follow, settings);
        this.feed.start();
    }

    /** Opens the store that the settings describe. */
    public static Store open(Settings settings, Archive archive, EventLog log) throws IOException {
        StoreConfig config = StoreConfig.from(settings);
        log.info("%s opens %s", config.getNodeName(), config.getFolder());
        return new Store(config, settings, archive, log);
    }

    public void put(Document document) throws IOException {
        checks.incoming(document);
        Lock lock = locks.of(document.id());
        lock.lock();
        try {
            write(document);
        } finally {
            lock.unlock();
        }
    }

    /** Replaces a field of a document by what {@code change} makes of it. */
    public Document update(long id, String field, UnaryOperator<String> change) throws IOException {
        Lock lock = locks.of(id);
        lock.lock();
        try {
            Document old = get(id);
            if (old == null) {
                throw new IOException("no document " + id);
            }
            Document changed = old.with(field, change.apply(old.field(field)), config.getHistory());
            checks.incoming(changed);
            write(changed);
            return changed;
        } finally {
            lock.unlock();
        }
    }

    private void write(Document document) throws IOException {
        byte[] content = codec.encode(document);
        checks.size(document, content);
        journal.append(document, content);
        Entry entry = new Entry(document, content);
        places.put(document.id(), new Place(entry, null, 0, checks.seal(content)));
        cache.put(document.id(), document);
        log.trace("written: %s", document);
        feed.offer(document);
        List<Entry> full = null;
        synchronized (this) {
            batch.add(entry);
            if (batch.size() >= config.getBatch()) {
                full = batch;
                batch = new ArrayList<>();
            }
        }
        if (full != null) {
            commit(full);
        }
    }

    private void commit(List<Entry> entries) throws IOException {
        journal.flush();
        byte[] raw = join(entries);
        byte[] packed = compressor.pack(raw);
        Segments.Address address = segments.write(packed, raw.length);
        for (int i = 0; i < entries.size(); i++) {
            int position = i;
            Entry entry = entries.get(i);
            places.computeIfPresent(
                    entry.document().id(),
                    (id, place) -> place.waiting() == entry ? new Place(null, address, position, place.seal()) : place);
        }
        String name = "block-" + blocks.getAndIncrement();
        retry.run(name, () -> archive.put(name, packed));
        log.debug("%s: %d documents in %d bytes", name, entries.size(), packed.length);
    }

    private static byte[] join(List<Entry> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(entries.size() * 1024);
        DataOutputStream out = new DataOutputStream(bytes);
        for (Entry entry : entries) {
            out.writeInt(entry.content().length);
            out.write(entry.content());
        }
        return bytes.toByteArray();
    }

    /** Returns the last version of a document, or {@code null}. */
    public Document get(long id) throws IOException {
        Document document = cache.get(id);
        Place place = places.get(id);
        if (place == null) {
            return null;
        }
        if (document == null) {
            document = place.waiting() != null ? place.waiting().document() : load(place, new BlockReader());
            cache.put(id, document);
        }
        checks.outgoing(document, place.seal());
        log.trace("read: %s", document);
        return document;
    }

    private Document load(Place place, BlockReader reader) throws IOException {
        if (place.waiting() != null) {
            return place.waiting().document();
        }
        return codec.decode(reader.content(place.block(), place.index()));
    }

    /** Returns the ids of the documents with a tag, in order. */
    public List<Long> find(String tag) throws IOException, InterruptedException {
        if (index != null) {
            feed.await();
            return new ArrayList<>(index.find(tag));
        }
        List<Long> found = new ArrayList<>();
        BlockReader reader = new BlockReader();
        for (var entry : places.entrySet()) {
            if (load(entry.getValue(), reader).hasTag(tag)) {
                found.add(entry.getKey());
            }
        }
        return found;
    }

    /** Returns up to {@code count} documents with ids above {@code after}, in the order of their ids. */
    public List<Document> page(long after, int count) throws IOException {
        List<Document> page = new ArrayList<>();
        BlockReader reader = new BlockReader();
        for (var entry : places.tailMap(after, false).entrySet()) {
            if (page.size() >= count) {
                break;
            }
            Document cached = cache.get(entry.getKey());
            page.add(cached != null ? cached : load(entry.getValue(), reader));
        }
        return page;
    }

    long dump(Path path, Iterator<Document> documents) throws IOException {
        return new Dump(path, config.getWriteBuffer()).write(documents);
    }

    private void follow(Document document) {
        if (index != null) {
            index.add(document.id(), document.tags());
        }
    }

    /** Writes what is waiting. */
    public void flush() throws IOException {
        List<Entry> rest;
        synchronized (this) {
            rest = batch;
            batch = new ArrayList<>();
        }
        if (!rest.isEmpty()) {
            commit(rest);
        }
    }

    @Override
    public void close() throws IOException {
        flush();
        feed.close();
        journal.close();
        segments.close();
        log.info("%d records in %d blocks, cache: %s", journal.records(), blocks.get(), cache.usage());
    }

    /** Reads documents out of blocks and keeps the last block, since neighbours are often asked for together. */
    private final class BlockReader {

        private Segments.Address last;
        private byte[] raw;

        byte[] content(Segments.Address address, int index) throws IOException {
            if (!address.equals(last)) {
                raw = segments.read(address);
                last = address;
            }
            ByteBuffer buffer = ByteBuffer.wrap(raw);
            for (int i = 0; i < index; i++) {
                int length = buffer.getInt();
                buffer.position(buffer.position() + length);
            }
            byte[] content = new byte[buffer.getInt()];
            buffer.get(content);
            return content;
        }
    }
}
