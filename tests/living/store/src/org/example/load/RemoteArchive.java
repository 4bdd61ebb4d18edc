package org.example.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.example.store.Archive;

/** Stands in for an archive behind a network: each call has its delay, and every now and then one is refused. */
final class RemoteArchive implements Archive {

    private static final int DELAY_MILLIS = 8;
    private static final int REFUSED = 16;

    private final Path folder;
    private final AtomicInteger calls = new AtomicInteger();

    RemoteArchive(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    @Override
    public void put(String name, byte[] block) throws IOException {
        try {
            Thread.sleep(DELAY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (calls.incrementAndGet() % REFUSED == 0) {
            throw new IOException("busy");
        }
        Files.write(folder.resolve(name), block);
    }
}
