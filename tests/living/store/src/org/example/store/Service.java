package org.example.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Serves requests on a store with a pool of workers. */
public final class Service implements AutoCloseable {

    /** Work on the store on behalf of a client. */
    public interface Request<T> {
        T serve(Store store) throws Exception;
    }

    private final Store store;
    private final EventLog log;
    private final ExecutorService workers;
    private final Semaphore admitted;
    private final long slowNanos;
    private final boolean metrics;
    private final int prefetch;
    private final AtomicLong served = new AtomicLong();
    private final AtomicLong busyNanos = new AtomicLong();

    public Service(Settings settings, Archive archive) throws IOException {
        this.log = new EventLog(Path.of(settings.text("store.log.file", "store.log")), settings);
        log.info("%s", settings.text("store.banner", "document store"));
        this.store = Store.open(settings, archive, log);
        this.workers = Executors.newFixedThreadPool(settings.number("store.workers", 8));
        this.admitted = new Semaphore(settings.number("store.requests.admitted", 4096));
        this.slowNanos = TimeUnit.MILLISECONDS.toNanos(settings.number("store.requests.slow.millis", 2000));
        this.metrics = settings.flag("store.metrics", true);
        this.prefetch = Math.max(1, settings.number("store.cursor.prefetch", 64));
    }

    /** Takes a request; waits if too many are under way. */
    public <T> Future<T> submit(Request<T> request) throws InterruptedException {
        admitted.acquire();
        Callable<T> work = () -> {
            try {
                return serve(request);
            } finally {
                admitted.release();
            }
        };
        return workers.submit(work);
    }

    private <T> T serve(Request<T> request) throws Exception {
        long begin = System.nanoTime();
        try {
            return request.serve(store);
        } finally {
            long nanos = System.nanoTime() - begin;
            if (nanos > slowNanos) {
                log.info("slow request: %d ms", nanos / 1_000_000);
            }
            if (metrics) {
                served.incrementAndGet();
                busyNanos.addAndGet(nanos);
            }
        }
    }

    /** All documents in the order of their ids, fetched as they are asked for. */
    public Iterator<Document> cursor() {
        return new Cursor();
    }

    /** Writes all documents into a file and returns the sum over it. */
    public long dump(Path path) throws IOException {
        return store.dump(path, cursor());
    }

    public String report() {
        return served.get() + " requests, " + busyNanos.get() / 1_000_000 + " ms busy";
    }

    @Override
    public void close() throws Exception {
        workers.shutdown();
        if (!workers.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("requests are still under way");
        }
        store.close();
        log.info("%s", report());
        log.close();
    }

    private final class Cursor implements Iterator<Document> {

        private final Queue<Document> fetched = new ArrayDeque<>();
        private long last = -1;
        private boolean ended;

        @Override
        public boolean hasNext() {
            if (fetched.isEmpty() && !ended) {
                fetch();
            }
            return !fetched.isEmpty();
        }

        @Override
        public Document next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Document document = fetched.remove();
            last = document.id();
            return document;
        }

        private void fetch() {
            try {
                List<Document> page = submit(store -> store.page(last, prefetch)).get();
                ended = page.isEmpty();
                fetched.addAll(page);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
