package org.example.store;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;

/** Writes documents into one file that other programs can read: fields only, no versions. */
final class Dump {

    private final Path path;
    private final int bufferSize;

    Dump(Path path, int bufferSize) {
        this.path = path;
        this.bufferSize = bufferSize;
    }

    /** Returns the sum over all that was written. */
    long write(Iterator<Document> documents) throws IOException {
        CRC32 sum = new CRC32();
        try (DataOutputStream out = new DataOutputStream(
                new CheckedOutputStream(new BufferedOutputStream(Files.newOutputStream(path), bufferSize), sum))) {
            while (documents.hasNext()) {
                Document document = documents.next();
                out.writeLong(document.id());
                for (Map.Entry<String, String> field : document.fields().entrySet()) {
                    out.writeUTF(field.getKey());
                    out.writeUTF(field.getValue());
                }
            }
        }
        return sum.getValue();
    }
}
