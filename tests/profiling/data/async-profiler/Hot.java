package demo.app;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/** A small load: computing, allocating, locking, sleeping, in a pool, with inner classes and lambdas. */
public class Hot {
    static final Object LOCK = new Object();
    static volatile long sink;

    static class Node {
        final byte[] data;
        Node next;
        Node(int size, Node next) { data = new byte[size]; this.next = next; }
        class Walker { long walk(Node node) { long sum = 0; for (; node != null; node = node.next) sum += mix(node.data); return sum; } }
    }

    static long mix(byte[] data) {
        long sum = 17;
        for (int round = 0; round < 40; round++) for (byte b : data) sum = sum * 31 + (b ^ round);
        return sum;
    }

    static void allocate(int count) {
        Node head = null;
        for (int i = 0; i < count; i++) head = new Node(64 + i % 512, head);
        sink += head.new Walker().walk(head);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) text.append(i).append(',');
        sink += text.toString().hashCode();
    }

    static void locked() {
        synchronized (LOCK) {
            Supplier<Long> supplier = () -> { byte[] data = new byte[4000]; return mix(data); };
            sink += supplier.get();
            try { Thread.sleep(1); } catch (InterruptedException e) { throw new RuntimeException(e); }
        }
    }

    static void compress() throws IOException {
        byte[] data = new byte[20000];
        new Random(7).nextBytes(data);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zip = new java.util.zip.GZIPOutputStream(out)) { zip.write(data); }
        sink += out.size();
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) all.add(pool.submit(() -> {
            while (System.nanoTime() < end) { allocate(300); locked(); compress(); }
            return null;
        }));
        Runnable anonymous = new Runnable() { public void run() { allocate(100); } };
        while (System.nanoTime() < end) anonymous.run();
        for (Future<?> f : all) f.get();
        pool.shutdown();
    }
}
