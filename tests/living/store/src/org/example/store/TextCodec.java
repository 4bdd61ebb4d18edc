package org.example.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** One line for each part, for people who look into the files. */
final class TextCodec implements Codec {

    @Override
    public byte[] encode(Document document) {
        StringBuilder text = new StringBuilder(1024);
        text.append("id ").append(document.id()).append('\n');
        text.append("version ").append(document.version()).append('\n');
        for (String tag : document.tags()) {
            text.append("tag ").append(tag).append('\n');
        }
        for (Map.Entry<String, String> field : document.fields().entrySet()) {
            text.append("field ").append(field.getKey()).append('=').append(field.getValue()).append('\n');
        }
        for (String note : document.history()) {
            text.append("note ").append(note).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Document decode(byte[] bytes) throws IOException {
        long id = -1;
        int version = 0;
        List<String> tags = new ArrayList<>();
        SortedMap<String, String> fields = new TreeMap<>();
        List<String> history = new ArrayList<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
            int blank = line.indexOf(' ');
            String rest = line.substring(blank + 1);
            switch (line.substring(0, blank)) {
                case "id" -> id = Long.parseLong(rest);
                case "version" -> version = Integer.parseInt(rest);
                case "tag" -> tags.add(rest);
                case "field" -> {
                    int sign = rest.indexOf('=');
                    fields.put(rest.substring(0, sign), rest.substring(sign + 1));
                }
                case "note" -> history.add(rest);
                default -> throw new IOException("not a line of a document: " + line);
            }
        }
        return new Document(id, version, tags, fields, history);
    }
}
