package org.example.store;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One document; immutable, every change makes a new version. */
public final class Document {

    private final long id;
    private final int version;
    private final List<String> tags;
    private final SortedMap<String, String> fields;
    private final List<String> history;

    public Document(long id, int version, List<String> tags, SortedMap<String, String> fields, List<String> history) {
        this.id = id;
        this.version = version;
        this.tags = List.copyOf(tags);
        this.fields = fields;
        this.history = List.copyOf(history);
    }

    public long id() {
        return id;
    }

    public int version() {
        return version;
    }

    public List<String> tags() {
        return tags;
    }

    public SortedMap<String, String> fields() {
        return fields;
    }

    public List<String> history() {
        return history;
    }

    public String field(String name) {
        return fields.get(name);
    }

    public boolean hasTag(String tag) {
        return tags.contains(tag);
    }

    /** The next version, with one field changed and the change noted; the oldest notes are dropped. */
    public Document with(String name, String value, int notes) {
        SortedMap<String, String> changed = new TreeMap<>(fields);
        String old = changed.put(name, value);
        List<String> log = new ArrayList<>(history);
        log.add("version " + (version + 1) + ": " + name + " from " + old + " to " + value);
        while (log.size() > notes) {
            log.remove(0);
        }
        return new Document(id, version + 1, tags, changed, log);
    }

    @Override
    public String toString() {
        return "Document " + id + " version " + version + " " + tags + " " + fields;
    }
}
