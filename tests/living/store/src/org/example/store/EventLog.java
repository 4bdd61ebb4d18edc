package org.example.store;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;

/** What the node says of itself, in a file. */
public final class EventLog implements Closeable {

    /** How much is said. */
    enum Level {
        ERROR,
        INFO,
        DEBUG,
        TRACE
    }

    private final BufferedWriter out;
    private final Level level;
    private final String prefix;

    EventLog(Path path, Settings settings) throws IOException {
        this.out = Files.newBufferedWriter(path);
        this.level = settings.choice("store.log.level", Level.INFO);
        this.prefix = settings.text("store.log.prefix", "store");
    }

    void info(String format, Object... values) {
        write(Level.INFO, format, values);
    }

    void debug(String format, Object... values) {
        write(Level.DEBUG, format, values);
    }

    void trace(String format, Object... values) {
        write(Level.TRACE, format, values);
    }

    private void write(Level of, String format, Object... values) {
        if (of.compareTo(level) > 0) {
            return;
        }
        String line = LocalTime.now() + " " + prefix + " " + of + " " + String.format(format, values);
        synchronized (out) {
            try {
                out.write(line);
                out.newLine();
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
