package servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.subethamail.smtp.helper.SimpleMessageListener;
import org.subethamail.smtp.helper.SimpleMessageListenerAdapter;
import org.subethamail.smtp.server.SMTPServer;

/** A mail server that counts what it receives, and a client that sends. */
public final class MailApp implements SimpleMessageListener {
    private final AtomicLong bytes = new AtomicLong();
    private final int scanned;

    MailApp(int scanned) {
        this.scanned = scanned;
    }

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        MailApp app = new MailApp(settings.number("mail.scan.bytes", 200));
        SMTPServer server = new SMTPServer(
                new SimpleMessageListenerAdapter(List.of(app), settings.number("mail.memory.bytes", 1_000_000)));
        server.setBindAddress(InetAddress.getLoopbackAddress());
        server.setPort(settings.number("mail.port", 0));
        server.setMaxConnections(settings.number("mail.connections.max", 100));
        server.setConnectionTimeout(settings.number("mail.connection.timeout", 60_000));
        server.setMaxRecipients(settings.number("mail.recipients.max", 100));
        server.setHideTLS(settings.flag("mail.tls.hidden", true));
        server.setDisableReceivedHeaders(settings.flag("mail.received.left", false));
        server.setSoftwareName(settings.text("mail.software", "mail"));
        server.start();
        int port = server.getPort();
        for (int mail = 0; mail < Integer.parseInt(args[0]); mail += 10) {
            send(port, 10);
        }
        System.out.println(app.bytes);
        server.stop();
    }

    @Override
    public boolean accept(String from, String recipient) {
        return true;
    }

    @Override
    public void deliver(String from, String recipient, InputStream data) throws IOException {
        byte[] content = data.readAllBytes();
        bytes.addAndGet(content.length + found(content));
    }

    /** How often a word is in the first part of a message. */
    private int found(byte[] content) {
        int end = Math.min(scanned, content.length);
        int count = 0;
        for (int at = 0; at < end; at++) {
            String word = new String(content, at, Math.min(12, end - at), StandardCharsets.ISO_8859_1);
            if (word.toLowerCase().startsWith("word 77")) {
                count++;
            }
        }
        return count;
    }

    private static void send(int port, int mails) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            in.readLine();
            say(in, out, "HELO here");
            StringBuilder text = new StringBuilder("Subject: test\r\n\r\n");
            for (int line = 0; line < 800; line++) {
                text.append("word ").append(line).append(" of a message\r\n");
            }
            text.append(".");
            for (int mail = 0; mail < mails; mail++) {
                say(in, out, "MAIL FROM:<a@example.org>");
                for (int to = 0; to < 3; to++) {
                    say(in, out, "RCPT TO:<b" + to + "@example.org>");
                }
                say(in, out, "DATA");
                say(in, out, text.toString());
            }
            say(in, out, "QUIT");
        }
    }

    private static void say(BufferedReader in, OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        in.readLine();
    }
}
