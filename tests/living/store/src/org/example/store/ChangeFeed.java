package org.example.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** Brings changes to a follower, in the background. */
final class ChangeFeed implements AutoCloseable {

    private final BlockingQueue<Document> changes = new LinkedBlockingQueue<>();
    private final Consumer<Document> follower;
    private final int pollMillis;
    private final Thread thread;
    private volatile boolean running = true;
    private long offered;
    private long applied;

    ChangeFeed(Consumer<Document> follower, Settings settings) {
        this.follower = follower;
        this.pollMillis = settings.number("store.feed.poll.millis", 5);
        this.thread = new Thread(this::follow, "change-feed");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    synchronized void offer(Document document) {
        changes.add(document);
        offered++;
    }

    /** Returns once the follower has seen everything that was offered before. */
    synchronized void await() throws InterruptedException {
        long target = offered;
        while (applied < target) {
            wait();
        }
    }

    private void follow() {
        List<Document> taken = new ArrayList<>();
        while (running) {
            taken.clear();
            changes.drainTo(taken);
            taken.forEach(follower);
            advance(taken.size());
            try {
                Thread.sleep(pollMillis);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized void advance(int count) {
        applied += count;
        notifyAll();
    }

    @Override
    public void close() {
        running = false;
        thread.interrupt();
    }
}
