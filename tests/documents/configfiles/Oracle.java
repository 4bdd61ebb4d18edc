import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Properties;

/** Reads properties files, one a line in Base64, and prints what Properties.load puts, or "fails". */
public class Oracle {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            var puts = new StringBuilder("puts");
            var properties = new Properties() {
                @Override
                public synchronized Object put(Object key, Object value) {
                    puts.append(' ').append(coded(key)).append('=').append(coded(value));
                    return null;
                }
            };
            var text = new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
            try {
                properties.load(new StringReader(text));
                answers.append(puts).append('\n');
            } catch (RuntimeException malformed) {
                answers.append("fails\n");
            }
        }
        System.out.print(answers);
    }

    private static String coded(Object text) {
        return Base64.getUrlEncoder().withoutPadding()
                .encodeToString(text.toString().getBytes(StandardCharsets.UTF_16LE));
    }
}
