package servers;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The settings of a workload: system properties go before {@code app.properties}. */
final class Settings {
    private final Properties file = new Properties();

    Settings(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Reader reader = Files.newBufferedReader(path)) {
                file.load(reader);
            }
        }
    }

    String text(String name, String fallback) {
        String given = System.getProperty(name);
        return given != null ? given : file.getProperty(name, fallback);
    }

    int number(String name, int fallback) {
        return Integer.parseInt(text(name, String.valueOf(fallback)));
    }

    boolean flag(String name, boolean fallback) {
        return Boolean.parseBoolean(text(name, String.valueOf(fallback)));
    }
}
