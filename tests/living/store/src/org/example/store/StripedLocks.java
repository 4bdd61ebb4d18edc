package org.example.store;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A fixed number of locks shared by all keys. */
final class StripedLocks {

    private final Lock[] locks;

    StripedLocks(int count) {
        locks = new Lock[count];
        for (int i = 0; i < count; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    Lock of(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return locks[(int) ((mixed >>> 33) % locks.length)];
    }
}
