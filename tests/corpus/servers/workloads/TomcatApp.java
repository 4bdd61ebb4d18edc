package servers;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.StandardSessionIdGenerator;
import org.apache.catalina.valves.AccessLogValve;
import org.apache.catalina.webresources.StandardRoot;

/** A shop: files, baskets that belong to a session, and offers that wait for somebody else. */
public final class TomcatApp {
    private static final int FILES = 80;
    private static final int CLIENTS = 4;

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        Path base = Files.createTempDirectory("shop");
        Path files = Files.createDirectory(base.resolve("files"));
        for (int at = 0; at < FILES; at++) {
            Files.write(files.resolve("file" + at + ".txt"), new byte[6_000]);
        }
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.toString());
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(0);
        connector.setProperty("maxThreads", settings.text("shop.threads.max", "8"));
        connector.setProperty("minSpareThreads", settings.text("shop.threads.spare", "1"));
        connector.setProperty("maxKeepAliveRequests", settings.text("shop.keepalive.requests", "100"));
        connector.setProperty("compression", settings.text("shop.packed", "off"));
        connector.setProperty("compressionMinSize", settings.text("shop.packed.least", "2048"));
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", files.toString());
        StandardRoot root = new StandardRoot(context);
        root.setCachingAllowed(settings.flag("shop.files.cached", true));
        root.setCacheMaxSize(settings.number("shop.files.memory", 10_240));
        root.setCacheTtl(settings.number("shop.files.age", 60_000));
        context.setResources(root);
        StandardManager sessions = new StandardManager();
        StandardSessionIdGenerator names = new StandardSessionIdGenerator();
        names.setSessionIdLength(settings.number("shop.session.bytes", 16));
        sessions.setSessionIdGenerator(names);
        sessions.setMaxActiveSessions(settings.number("shop.sessions.max", -1));
        sessions.setPathname(null);
        context.setManager(sessions);
        context.setSessionTimeout(settings.number("shop.session.minutes", 30));
        AccessLogValve log = new AccessLogValve();
        log.setDirectory(base.toString());
        log.setPattern(settings.text("shop.log.pattern", "common"));
        log.setBuffered(settings.flag("shop.log.buffered", true));
        log.setEnabled(settings.flag("shop.log.enabled", true));
        context.getPipeline().addValve(log);
        Wrapper statics = Tomcat.addServlet(context, "files", "org.apache.catalina.servlets.DefaultServlet");
        statics.addInitParameter("sendfileSize", settings.text("shop.files.sendfile", "-1"));
        context.addServletMappingDecoded("/", "files");
        Tomcat.addServlet(context, "basket", new Basket());
        context.addServletMappingDecoded("/basket", "basket");
        Tomcat.addServlet(context, "offer", new Offer());
        context.addServletMappingDecoded("/offer", "offer");
        tomcat.start();
        System.out.println(load(connector.getLocalPort(), Integer.parseInt(args[0])) > 0);
        tomcat.stop();
        tomcat.destroy();
    }

    private static long load(int port, int rounds) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<Long>> done = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int first = client;
            done.add(clients.submit(() -> {
                long bytes = 0;
                for (int round = first; round < rounds; round += CLIENTS) {
                    bytes += get(port, "/basket") + get(port, "/offer");
                    for (int file = 0; file < 20; file++) {
                        bytes += get(port, "/file" + (round * 7 + file) % FILES + ".txt");
                    }
                }
                return bytes;
            }));
        }
        long bytes = 0;
        for (Future<Long> each : done) {
            bytes += each.get();
        }
        clients.shutdown();
        return bytes;
    }

    private static long get(int port, String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create("http://localhost:" + port + path).toURL().openConnection();
        connection.setRequestProperty("Accept-Encoding", "gzip");
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes().length;
        }
    }

    /** A new session with something in it. */
    public static final class Basket extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getSession(true).setAttribute("basket", new ArrayList<>(List.of("one", "two")));
            response.getWriter().println("kept");
        }
    }

    /** What somebody else has to say takes a while. */
    public static final class Offer extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                Thread.sleep(10);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            response.setContentType("text/plain");
            PrintWriter out = response.getWriter();
            for (int row = 0; row < 200; row++) {
                out.println("offer " + row + " costs " + row * 31 % 97);
            }
        }
    }
}
