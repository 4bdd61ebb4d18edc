package org.example.store;

import java.io.IOException;

/** How a document becomes bytes. */
public interface Codec {

    byte[] encode(Document document) throws IOException;

    Document decode(byte[] bytes) throws IOException;

    /** The formats a node can write. */
    enum Format {
        BINARY,
        TEXT,
        XML
    }

    static Codec of(Format format) {
        switch (format) {
            case TEXT:
                return new TextCodec();
            case XML:
                return new XmlCodec();
            default:
                return new BinaryCodec();
        }
    }
}
