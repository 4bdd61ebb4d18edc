import java.io.File;
import java.io.FileOutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;

/** Does a little of everything that a recording tells apart, for about a second. */
public class Busy {
    private static final Object MONITOR = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final byte[] BLOCK = new byte[8_000_000];
    private static volatile Object sink;
    private static volatile long sum;

    static long compute(int depth, long count) {
        if (depth > 0) {
            return compute(depth - 1, count) + 1;
        }
        long value = 0;
        for (long index = 0; index < count; index++) {
            value = value * 31 + (value >>> 7) + index;
        }
        return value;
    }

    static void allocate() {
        for (int count = 0; count < 3_000; count++) {
            sink = new byte[2_000];
        }
    }

    static void holdMonitor() throws InterruptedException {
        synchronized (MONITOR) {
            Thread.sleep(30);
        }
    }

    static void holdLock() throws InterruptedException {
        LOCK.lock();
        try {
            Thread.sleep(30);
        } finally {
            LOCK.unlock();
        }
    }

    static void enter() {
        synchronized (MONITOR) {
            sum++;
        }
    }

    static void acquire() {
        LOCK.lock();
        sum++;
        LOCK.unlock();
    }

    /** Blocks a thread at the monitor and one at the lock for a fifth of a second. */
    static void block() throws InterruptedException {
        Thread entering = new Thread(Busy::enter, "blocked-1");
        Thread acquiring = new Thread(Busy::acquire, "blocked-2");
        synchronized (MONITOR) {
            LOCK.lock();
            try {
                entering.start();
                acquiring.start();
                Thread.sleep(200);
            } finally {
                LOCK.unlock();
            }
        }
        entering.join();
        acquiring.join();
    }

    static void write() throws Exception {
        File file = File.createTempFile("busy", ".bin");
        try (FileOutputStream out = new FileOutputStream(file)) {
            for (int count = 0; count < 5; count++) {
                out.write(BLOCK);
            }
            out.getFD().sync();
        }
        file.delete();
    }

    static void work(long end) {
        try {
            while (System.nanoTime() < end) {
                sum += compute(30, 20_000_000);
                CRC32 crc = new CRC32();
                for (int count = 0; count < 5; count++) {
                    crc.update(BLOCK);
                }
                sum += crc.getValue();
                sum += List.of(3L, 1L, 2L).stream().mapToLong(factor -> compute(3, 3_000_000 * factor)).sum();
                allocate();
                holdMonitor();
                holdLock();
                write();
            }
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    public static void main(String[] args) throws Exception {
        block();
        long end = System.nanoTime() + 1_000_000_000L;
        CountDownLatch done = new CountDownLatch(3);
        for (int number = 0; number < 3; number++) {
            new Thread(() -> {
                work(end);
                done.countDown();
            }, "worker-" + number).start();
        }
        done.await(60, TimeUnit.SECONDS);
    }
}
