package org.example.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The compact form: lengths and UTF-8. */
final class BinaryCodec implements Codec {

    @Override
    public byte[] encode(Document document) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(document.id());
        out.writeInt(document.version());
        writeAll(out, document.tags());
        out.writeShort(document.fields().size());
        for (Map.Entry<String, String> field : document.fields().entrySet()) {
            out.writeUTF(field.getKey());
            out.writeUTF(field.getValue());
        }
        writeAll(out, document.history());
        return bytes.toByteArray();
    }

    @Override
    public Document decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        long id = in.readLong();
        int version = in.readInt();
        List<String> tags = readAll(in);
        SortedMap<String, String> fields = new TreeMap<>();
        int count = in.readUnsignedShort();
        for (int i = 0; i < count; i++) {
            String name = in.readUTF();
            fields.put(name, in.readUTF());
        }
        return new Document(id, version, tags, fields, readAll(in));
    }

    private static void writeAll(DataOutputStream out, List<String> texts) throws IOException {
        out.writeShort(texts.size());
        for (String text : texts) {
            out.writeUTF(text);
        }
    }

    private static List<String> readAll(DataInputStream in) throws IOException {
        int count = in.readUnsignedShort();
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(in.readUTF());
        }
        return texts;
    }
}
