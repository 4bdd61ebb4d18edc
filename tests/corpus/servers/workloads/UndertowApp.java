package servers;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.predicate.Predicates;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.PathHandler;
import io.undertow.server.handlers.RequestDumpingHandler;
import io.undertow.server.handlers.cache.DirectBufferCache;
import io.undertow.server.handlers.encoding.ContentEncodingRepository;
import io.undertow.server.handlers.encoding.EncodingHandler;
import io.undertow.server.handlers.encoding.GzipEncodingProvider;
import io.undertow.server.handlers.resource.CachingResourceManager;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.util.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.xnio.Options;

/** A site with a list that is made row by row, files, and answers that wait for somebody else. */
public final class UndertowApp {
    private static final int FILES = 60;
    private static final int CLIENTS = 4;

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        Path folder = Files.createTempDirectory("site");
        for (int at = 0; at < FILES; at++) {
            Files.write(folder.resolve("file" + at + ".bin"), new byte[20_000]);
        }
        Undertow server = Undertow.builder()
                .addHttpListener(0, "localhost")
                .setBufferSize(settings.number("web.buffer.bytes", 16384))
                .setDirectBuffers(settings.flag("web.buffer.direct", true))
                .setIoThreads(settings.number("web.threads.io", 2))
                .setWorkerThreads(settings.number("web.threads.work", 8))
                .setSocketOption(Options.TCP_NODELAY, settings.flag("web.socket.nodelay", true))
                .setHandler(handler(settings, folder))
                .build();
        server.start();
        int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
        System.out.println(load(port, Integer.parseInt(args[0])) > 0);
        server.stop();
    }

    private static HttpHandler handler(Settings settings, Path folder) {
        CachingResourceManager files = new CachingResourceManager(
                settings.number("web.files.entries", 200),
                settings.number("web.files.largest", 100_000),
                new DirectBufferCache(1024, 10, 40_000_000),
                new PathResourceManager(folder),
                settings.number("web.files.age", 60_000));
        EncodingHandler list = new EncodingHandler(
                new BlockingHandler(UndertowApp::list),
                new ContentEncodingRepository()
                        .addEncodingHandler(
                                "gzip",
                                new GzipEncodingProvider(settings.number("web.pack.level", 1)),
                                50,
                                Predicates.truePredicate()));
        PathHandler paths = Handlers.path()
                .addPrefixPath("/list", list)
                .addPrefixPath("/ask", new BlockingHandler(UndertowApp::ask))
                .addPrefixPath("/", Handlers.resource(files));
        HttpHandler all = paths;
        if (settings.flag("web.requests.dumped", false)) {
            all = new RequestDumpingHandler(all);
        }
        return all;
    }

    private static void list(HttpServerExchange exchange) throws IOException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
        OutputStream out = exchange.getOutputStream();
        long seed = 11;
        for (int row = 0; row < 4000; row++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            out.write(("row " + row + " has " + (seed >>> 40) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void ask(HttpServerExchange exchange) throws Exception {
        Thread.sleep(15);
        exchange.getResponseSender().send("answer");
    }

    private static long load(int port, int rounds) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<Long>> done = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int first = client;
            done.add(clients.submit(() -> {
                long bytes = 0;
                for (int round = first; round < rounds; round += CLIENTS) {
                    bytes += get(port, "/list");
                    bytes += get(port, "/ask");
                    for (int file = 0; file < 20; file++) {
                        bytes += get(port, "/file" + (round * 7 + file) % FILES + ".bin");
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
}
