// Threads that wait for each other in a program that lives. args[0]: what lives beside them (ticker, listener, signal, pool,
// scheduled). args[1]: what they wait for (monitors, locks, interruptibly: the wait of the second can be interrupted). args[2]: never, or after how many ms it is resolved; then the program ends.
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

class Main {
    static final Object first = new Object();
    static final Object second = new Object();
    static final ReentrantLock firstLock = new ReentrantLock();
    static final ReentrantLock secondLock = new ReentrantLock();
    static final CountDownLatch both = new CountDownLatch(2);

    static void meet() throws InterruptedException {
        both.countDown();
        both.await();
    }

    static Thread start(String name, boolean daemon, Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception stopped) {
                // It was resolved.
            }
        }, name);
        thread.setDaemon(daemon);
        thread.start();
        return thread;
    }

    interface Body {
        void run() throws Exception;
    }

    static void enter(Object a, Object b, long ms) throws InterruptedException {
        synchronized (a) {
            meet();
            // One that leaves its own monitor after a while resolves it.
            if (ms > 0) a.wait(ms);
            synchronized (b) {
                b.hashCode();
            }
        }
    }

    static void lock(ReentrantLock a, ReentrantLock b, long ms) throws InterruptedException {
        a.lock();
        meet();
        // One that gives up after a while resolves it.
        if (ms == 0) b.lock();
        else if (!b.tryLock(ms, TimeUnit.MILLISECONDS)) System.exit(0);
    }

    static void lockInterruptibly(ReentrantLock a, ReentrantLock b) throws InterruptedException {
        a.lock();
        meet();
        try {
            b.lockInterruptibly();
        } catch (InterruptedException stopped) {
            System.exit(0);
        }
    }

    static void live(String beside) throws Exception {
        switch (beside) {
            case "ticker" -> start("ticker", true, () -> {
                while (true) Thread.sleep(50);
            });
            case "scheduled" -> Executors.newScheduledThreadPool(1, (task) -> {
                Thread thread = new Thread(task, "metrics");
                thread.setDaemon(true);
                return thread;
            }).scheduleAtFixedRate(System::nanoTime, 1, 1, TimeUnit.SECONDS);
            case "listener" -> {
                ServerSocket socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                start("listener", true, socket::accept);
            }
            case "signal" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
            default -> {
                var pool = Executors.newFixedThreadPool(3, (task) -> {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    return thread;
                });
                for (int i = 0; i < 3; i++) pool.submit(() -> {});
            }
        }
    }

    public static void main(String[] args) throws Exception {
        live(args[0]);
        long ms = args[2].equals("never") ? 0 : Long.parseLong(args[2]);
        Thread one;
        Thread two;
        if (args[1].equals("locks")) {
            one = start("first", false, () -> lock(firstLock, secondLock, 0));
            two = start("second", false, () -> lock(secondLock, firstLock, ms));
        } else if (args[1].equals("interruptibly")) {
            one = start("first", false, () -> lock(firstLock, secondLock, 0));
            two = start("second", false, () -> lockInterruptibly(secondLock, firstLock));
            Thread interrupted = two;
            start("watchdog", true, () -> {
                Thread.sleep(ms);
                interrupted.interrupt();
            });
        } else {
            one = start("first", false, () -> enter(first, second, ms));
            // Later than the first: at the same moment they would deadlock.
            two = start("second", false, () -> enter(second, first, ms + ms / 4));
        }
        one.join();
        two.join();
    }
}
