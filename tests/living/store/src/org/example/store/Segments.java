package org.example.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Files of packed blocks.  A file that is full is closed for writing and the next one begun. */
final class Segments implements Closeable {

    /** Where a block lies. */
    record Address(int segment, long offset, int packedLength, int rawLength) {
    }

    private final Path folder;
    private final Compressor compressor;
    private final long segmentBytes;
    private final boolean keepOpen;
    private final Map<Integer, RandomAccessFile> open = new HashMap<>();
    private RandomAccessFile writing;
    private int current = -1;

    Segments(Path folder, Compressor compressor, long segmentBytes, boolean keepOpen) {
        this.folder = folder;
        this.compressor = compressor;
        this.segmentBytes = segmentBytes;
        this.keepOpen = keepOpen;
    }

    Address write(byte[] packed, int rawLength) throws IOException {
        synchronized (this) {
            if (writing == null || writing.length() + packed.length > segmentBytes) {
                roll();
            }
            long offset = writing.length();
            writing.seek(offset);
            writing.write(packed);
            return new Address(current, offset, packed.length, rawLength);
        }
    }

    private void roll() throws IOException {
        if (writing != null) {
            writing.close();
        }
        current++;
        writing = new RandomAccessFile(file(current).toFile(), "rw");
    }

    byte[] read(Address address) throws IOException {
        byte[] packed = new byte[address.packedLength()];
        if (keepOpen) {
            RandomAccessFile file = reader(address.segment());
            synchronized (file) {
                file.seek(address.offset());
                file.readFully(packed);
            }
        } else {
            try (RandomAccessFile file = new RandomAccessFile(file(address.segment()).toFile(), "r")) {
                file.seek(address.offset());
                file.readFully(packed);
            }
        }
        return compressor.unpack(packed, address.rawLength());
    }

    private RandomAccessFile reader(int segment) throws IOException {
        synchronized (open) {
            RandomAccessFile file = open.get(segment);
            if (file == null) {
                file = new RandomAccessFile(file(segment).toFile(), "r");
                open.put(segment, file);
            }
            return file;
        }
    }

    private Path file(int segment) {
        return folder.resolve(String.format("segment-%04d.dat", segment));
    }

    @Override
    public void close() throws IOException {
        synchronized (open) {
            for (RandomAccessFile file : open.values()) {
                file.close();
            }
            open.clear();
        }
        synchronized (this) {
            if (writing != null) {
                writing.close();
            }
        }
    }
}
