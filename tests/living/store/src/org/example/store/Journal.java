package org.example.store;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * The write-ahead log: every new version of a document, in the order of arrival; durable means that each one is on
 * the disk before its request is answered.
 */
final class Journal implements Closeable {

    private static final int PUT = 'P';

    private final FileOutputStream file;
    private final DataOutputStream out;
    private final boolean durable;
    private long records;

    Journal(Path path, int bufferSize, boolean durable) throws IOException {
        this.file = new FileOutputStream(path.toFile(), true);
        this.out = new DataOutputStream(new BufferedOutputStream(file, bufferSize));
        this.durable = durable;
    }

    synchronized void append(Document document, byte[] content) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(content);
        out.writeByte(PUT);
        out.writeLong(document.id());
        out.writeInt(document.version());
        out.writeByte(document.tags().size());
        for (String tag : document.tags()) {
            out.writeUTF(tag);
        }
        out.writeInt((int) sum.getValue());
        out.writeInt(content.length);
        out.write(content);
        records++;
        if (durable) {
            out.flush();
            file.getChannel().force(false);
        }
    }

    /** Hands everything to the operating system. */
    synchronized void flush() throws IOException {
        out.flush();
    }

    synchronized long records() {
        return records;
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
