package org.example.store;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;

/** The settings of a node: a properties file, with system properties going first. */
public final class Settings {

    private static final String DEFAULT_FILE = "conf/store.properties";

    private final Properties file;

    private Settings(Properties file) {
        this.file = file;
    }

    /** Reads the file that the system property {@code store.config} names, if it exists. */
    public static Settings load() throws IOException {
        Path path = Path.of(System.getProperty("store.config", DEFAULT_FILE));
        Properties properties = new Properties();
        if (Files.exists(path)) {
            try (Reader reader = Files.newBufferedReader(path)) {
                properties.load(reader);
            }
        }
        return new Settings(properties);
    }

    public String text(String name, String fallback) {
        String value = System.getProperty(name);
        if (value == null) {
            value = file.getProperty(name);
        }
        return value == null || value.isBlank() ? fallback : value.trim();
    }

    public int number(String name, int fallback) {
        String value = text(name, null);
        if (value == null) {
            return fallback;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is not a number: " + value, e);
        }
    }

    public boolean flag(String name, boolean fallback) {
        String value = text(name, null);
        return value == null ? fallback : Boolean.parseBoolean(value);
    }

    public <E extends Enum<E>> E choice(String name, E fallback) {
        String value = text(name, null);
        if (value == null) {
            return fallback;
        }
        return Enum.valueOf(fallback.getDeclaringClass(), value.toUpperCase(Locale.ROOT));
    }
}
