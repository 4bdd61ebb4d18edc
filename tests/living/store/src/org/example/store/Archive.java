package org.example.store;

import java.io.IOException;

/** Where a second copy of every block goes. */
public interface Archive {

    void put(String name, byte[] block) throws IOException;
}
