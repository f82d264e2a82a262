// argv[1] timer: libev with a timer every argv[2] ms; async: it waits for an ev_async that no thread sends.
#include <ev.h>
#include <stdlib.h>
#include <string.h>

static void on_timer(struct ev_loop *loop, ev_timer *timer, int what) { (void)loop, (void)timer, (void)what; }

static void on_async(struct ev_loop *loop, ev_async *async, int what) {
  (void)async, (void)what;
  ev_break(loop, EVBREAK_ALL);
}

int main(int argc, char **argv) {
  struct ev_loop *loop = ev_default_loop(0);
  ev_timer timer;
  ev_async async;
  if (argc > 2 && !strcmp(argv[1], "timer")) {
    ev_timer_init(&timer, on_timer, atoi(argv[2]) / 1000.0, atoi(argv[2]) / 1000.0);
    ev_timer_start(loop, &timer);
  } else {
    ev_async_init(&async, on_async);
    ev_async_start(loop, &async);
  }
  return ev_run(loop, 0);
}
