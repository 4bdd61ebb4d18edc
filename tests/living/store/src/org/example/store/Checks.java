package org.example.store;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.regex.Pattern;

/** What is checked of documents on their way in and out. */
final class Checks {

    /** How carefully incoming documents are looked at. */
    enum Validation {
        NONE,
        BASIC,
        STRICT
    }

    private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9]*");
    private static final Pattern TEXT = Pattern.compile("(?:[\\p{Alnum}]+[ ,.;:-]?)*");

    private final Validation validation;
    private final boolean digests;
    private final int maxBytes;
    private final Codec codec;

    Checks(Settings settings, Codec codec) {
        this.validation = settings.choice("store.validation", Validation.BASIC);
        this.digests = settings.flag("store.checksum.reads", false);
        this.maxBytes = settings.number("store.document.max.bytes", 1 << 20);
        this.codec = codec;
    }

    /** Refuses documents that may not be stored. */
    void incoming(Document document) {
        if (validation == Validation.NONE) {
            return;
        }
        if (document.id() < 0 || document.fields().isEmpty()) {
            throw new IllegalArgumentException("not a document: " + document);
        }
        if (validation == Validation.STRICT) {
            for (Map.Entry<String, String> field : document.fields().entrySet()) {
                require(NAME, field.getKey());
                require(TEXT, field.getValue());
            }
        }
    }

    private static void require(Pattern pattern, String text) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException("not allowed: " + text);
        }
    }

    void size(Document document, byte[] content) {
        if (content.length > maxBytes) {
            throw new IllegalArgumentException("document " + document.id() + " has " + content.length + " bytes");
        }
    }

    /** The digest that is kept with a document, or nothing. */
    byte[] seal(byte[] content) {
        return digests ? digest(content) : null;
    }

    /** Holds a document that is handed out against its digest. */
    void outgoing(Document document, byte[] expected) throws IOException {
        if (expected != null && !MessageDigest.isEqual(expected, digest(codec.encode(document)))) {
            throw new IOException("document " + document.id() + " has changed");
        }
    }

    private static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
