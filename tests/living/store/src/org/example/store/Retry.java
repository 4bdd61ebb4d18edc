package org.example.store;

import java.io.IOException;

/** Repeats what may fail for a moment. */
final class Retry {

    /** Something that may fail. */
    interface Attempt {
        void run() throws IOException;
    }

    private final int attempts;
    private final long backoffMillis;
    private final EventLog log;

    Retry(int attempts, long backoffMillis, EventLog log) {
        this.attempts = attempts;
        this.backoffMillis = backoffMillis;
        this.log = log;
    }

    void run(String what, Attempt attempt) throws IOException {
        for (int failed = 0; ; failed++) {
            try {
                attempt.run();
                return;
            } catch (IOException e) {
                if (failed + 1 >= attempts) {
                    throw e;
                }
                log.debug("%s failed (%s), attempt %d", what, e.getMessage(), failed + 1);
                pause(backoffMillis << failed);
            }
        }
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
