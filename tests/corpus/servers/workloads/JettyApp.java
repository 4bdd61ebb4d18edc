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
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.gzip.GzipHandler;
import org.eclipse.jetty.servlet.DefaultServlet;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.compression.CompressionPool;
import org.eclipse.jetty.util.compression.DeflaterPool;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A small site: a report that is written row by row, and static files. */
public final class JettyApp {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        QueuedThreadPool threads = new QueuedThreadPool(settings.number("site.threads.max", 16));
        threads.setIdleTimeout(settings.number("site.threads.idle", 60000));
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setOutputBufferSize(settings.number("site.output.buffer", 32768));
        http.setOutputAggregationSize(settings.number("site.output.aggregation", 8192));
        http.setSendDateHeader(settings.flag("site.header.date", true));
        http.setRequestHeaderSize(settings.number("site.header.size", 8192));
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setAcceptQueueSize(settings.number("site.accept.queue", 50));
        connector.setIdleTimeout(settings.number("site.idle.timeout", 30000));
        server.addConnector(connector);
        if (settings.flag("site.request.log", false)) {
            server.setRequestLog(new CustomRequestLog("request.log"));
        }
        Path files = Files.createTempDirectory("site");
        for (int at = 0; at < 40; at++) {
            Files.write(files.resolve("file" + at + ".bin"), new byte[60_000]);
        }
        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath("/");
        context.addServlet(Report.class, "/report");
        ServletHolder statics = new ServletHolder(DefaultServlet.class);
        statics.setInitParameter("resourceBase", files.toString());
        statics.setInitParameter("maxCachedFiles", settings.text("site.files.cached", "2048"));
        statics.setInitParameter("etags", settings.text("site.files.etags", "false"));
        context.addServlet(statics, "/");
        if (settings.flag("site.gzip.enabled", true)) {
            GzipHandler gzip = new GzipHandler();
            gzip.setMinGzipSize(settings.number("site.gzip.least", 1024));
            gzip.setDeflaterPool(
                    new DeflaterPool(
                            settings.number("site.gzip.pool", CompressionPool.DEFAULT_CAPACITY),
                            settings.number("site.gzip.level", 1),
                            true));
            gzip.setHandler(context);
            server.setHandler(gzip);
        } else {
            server.setHandler(context);
        }
        server.start();
        load(connector.getLocalPort(), Integer.parseInt(args[0]));
        server.stop();
    }

    private static void load(int port, int rounds) throws Exception {
        long bytes = 0;
        for (int round = 0; round < rounds; round++) {
            bytes += get(port, "/report", true);
            for (int file = 0; file < 5; file++) {
                bytes += get(port, "/file" + (round + file) % 40 + ".bin", false);
            }
        }
        System.out.println(bytes > 0);
    }

    private static long get(int port, String path, boolean packed) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create("http://localhost:" + port + path).toURL().openConnection();
        if (packed) {
            connection.setRequestProperty("Accept-Encoding", "gzip");
        }
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes().length;
        }
    }

    /** Rows of numbers. */
    public static final class Report extends HttpServlet {
        private static final int ROWS = 20_000;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/json");
            PrintWriter out = response.getWriter();
            long seed = 7;
            for (int row = 0; row < ROWS; row++) {
                seed = seed * 6364136223846793005L + 1442695040888963407L;
                out.print("{\"row\":");
                out.print(row);
                out.print(",\"value\":");
                out.print(seed >>> 40);
                out.println("}");
            }
        }
    }
}
