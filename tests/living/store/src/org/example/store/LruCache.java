package org.example.store;

import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps the entries that were used last. */
final class LruCache<K, V> {

    private final Map<K, V> entries;
    private long hits;
    private long misses;

    LruCache(int capacity) {
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
    }

    synchronized V get(K key) {
        V value = entries.get(key);
        if (value == null) {
            misses++;
        } else {
            hits++;
        }
        return value;
    }

    synchronized void put(K key, V value) {
        entries.put(key, value);
    }

    synchronized String usage() {
        return hits + " hits, " + misses + " misses";
    }
}
