package org.example.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Packs blocks with deflate. */
final class Compressor {

    private final int level;

    Compressor(int level) {
        if (level < 0 || level > 9) {
            throw new IllegalArgumentException("compression level " + level);
        }
        this.level = level;
    }

    byte[] pack(byte[] raw) {
        Deflater deflater = new Deflater(level);
        try {
            deflater.setInput(raw);
            deflater.finish();
            ByteArrayOutputStream packed = new ByteArrayOutputStream(raw.length / 2 + 64);
            byte[] chunk = new byte[8192];
            while (!deflater.finished()) {
                packed.write(chunk, 0, deflater.deflate(chunk));
            }
            return packed.toByteArray();
        } finally {
            deflater.end();
        }
    }

    byte[] unpack(byte[] packed, int length) throws IOException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            byte[] raw = new byte[length];
            int filled = 0;
            while (filled < length && !inflater.finished()) {
                filled += inflater.inflate(raw, filled, length - filled);
            }
            if (filled < length) {
                throw new IOException("block is cut off");
            }
            return raw;
        } catch (DataFormatException e) {
            throw new IOException("block is damaged", e);
        } finally {
            inflater.end();
        }
    }
}
