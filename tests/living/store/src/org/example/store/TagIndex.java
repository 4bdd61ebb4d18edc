package org.example.store;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Which documents have which tag. */
final class TagIndex {

    private final Map<String, Set<Long>> byTag = new ConcurrentHashMap<>();

    void add(long id, Collection<String> tags) {
        for (String tag : tags) {
            byTag.computeIfAbsent(tag, unused -> new ConcurrentSkipListSet<>()).add(id);
        }
    }

    Set<Long> find(String tag) {
        return new TreeSet<>(byTag.getOrDefault(tag, Collections.emptySet()));
    }
}
