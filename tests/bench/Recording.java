import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps eight threads busy in deep, varied call chains, so that a recording of it grows fast; args: seconds. */
public class Recording {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final AtomicLong SUM = new AtomicLong();
    private static volatile Object sink;

    private interface Step {
        long go(Random random, int depth);
    }

    private static final Step[] STEPS = {Recording::plus, Recording::minus, Recording::times, (random, depth) -> next(random, depth) ^ 5};

    static long plus(Random random, int depth) {
        return next(random, depth) + 1;
    }

    static long minus(Random random, int depth) {
        if (depth % 3 == 0) {
            return next(random, depth) - 2;
        }
        return next(random, depth) - 1;
    }

    static long times(Random random, int depth) {
        return next(random, depth) * 31;
    }

    static long next(Random random, int depth) {
        if (depth == 0) {
            return work(random);
        }
        return STEPS[random.nextInt(100) < 94 ? depth % 4 : random.nextInt(4)].go(random, depth - 1);
    }

    static long work(Random random) {
        for (int count = 0; count < 40; count++) {
            sink = new byte[256 + random.nextInt(512)];
        }
        if (random.nextInt(50) == 0) {
            LOCK.lock();
            try {
                SUM.incrementAndGet();
            } finally {
                LOCK.unlock();
            }
        }
        return random.nextLong();
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            Random random = new Random(number);
            Thread thread = new Thread(() -> {
                while (System.nanoTime() < end) {
                    SUM.addAndGet(next(random, 8 + random.nextInt(20)));
                }
            }, "worker-" + number);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
