// An executor of java.util.concurrent. args[0] idle: every args[1] ms there is work for one of its threads; self: its only thread waits for a
// task that waits in its own queue; late: main waits for a task that takes args[1] ms.
import java.util.concurrent.Executors;

class Main {
  public static void main(String[] args) throws Exception {
    var pool = Executors.newFixedThreadPool(args[0].equals("idle") ? 4 : 1);
    switch (args[0]) {
      case "idle":
        while (true) {
          pool.submit(() -> {});
          Thread.sleep(Long.parseLong(args[1]));
        }
      case "self":
        pool.submit(() -> pool.submit(() -> 1).get()).get();
        break;
      default:
        pool.submit(() -> {
          Thread.sleep(Long.parseLong(args[1]));
          return 1;
        }).get();
    }
    pool.shutdown();
  }
}
