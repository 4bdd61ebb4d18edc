package org.example.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How a store lays out its files and shares its work. */
public final class StoreConfig {

    private String nodeName;
    private Path folder;
    private int writeBuffer;
    private boolean journalSync;
    private long segmentBytes;
    private boolean keepOpen;
    private int batch;
    private int stripes;
    private boolean indexed;
    private int history;
    private Codec.Format format;

    static StoreConfig from(Settings settings) throws IOException {
        StoreConfig config = new StoreConfig();
        config.nodeName = settings.text("store.node.name", "node");
        config.folder = Files.createDirectories(Path.of(settings.text("store.folder", "data")));
        config.writeBuffer = settings.number("store.write.buffer", 64 * 1024);
        config.journalSync = settings.flag("store.journal.sync", false);
        config.segmentBytes = settings.number("store.segment.bytes", 4 << 20);
        config.keepOpen = settings.flag("store.segment.keepopen", true);
        config.batch = Math.max(1, settings.number("store.batch.size", 64));
        config.stripes = Math.max(1, settings.number("store.lock.stripes", 32));
        config.indexed = settings.flag("store.index.enabled", true);
        config.history = settings.number("store.history.length", 4);
        config.format = settings.choice("store.format", Codec.Format.BINARY);
        return config;
    }

    public String getNodeName() {
        return nodeName;
    }

    public Path getFolder() {
        return folder;
    }

    public int getWriteBuffer() {
        return writeBuffer;
    }

    public boolean isJournalSync() {
        return journalSync;
    }

    public long getSegmentBytes() {
        return segmentBytes;
    }

    public boolean isKeepOpen() {
        return keepOpen;
    }

    public int getBatch() {
        return batch;
    }

    public int getStripes() {
        return stripes;
    }

    public boolean isIndexed() {
        return indexed;
    }

    public int getHistory() {
        return history;
    }

    public Codec.Format getFormat() {
        return format;
    }
}
