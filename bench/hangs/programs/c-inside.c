// Threads that wait for each other in a program that lives. argv[1]: what lives beside them (ticker, metrics, listener, signal,
// pool). argv[2]: the kind of mutex (normal, errorcheck, recursive), or condition: one holds it in a timed wait for a condition. argv[3]: never, or after how many ms one gives up; then the program ends.
#define _GNU_SOURCE
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t locks[2];
static pthread_barrier_t both;
static long ms;
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;

static int with_condition;

static struct timespec after(long wait) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += wait / 1000;
  until.tv_nsec += wait % 1000 * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return until;
}

static void *lock_both(void *own) {
  long first = (long)own;
  pthread_mutex_lock(&locks[first]);
  pthread_barrier_wait(&both);
  if (ms > 0 && first == 1) {
    struct timespec until = after(ms);
    if (with_condition) {
      pthread_mutex_lock(&idle_lock);
      while (pthread_cond_timedwait(&work, &idle_lock, &until) == 0) {
      }
    } else
      pthread_mutex_timedlock(&locks[1 - first], &until);
    _exit(0);
  }
  pthread_mutex_lock(&locks[1 - first]);
  return NULL;
}

static void *tick(void *unused) {
  for (;;) usleep(50000);
  return unused;
}

static void *measure(void *unused) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&lock);
  for (;;) {
    struct timespec until = after(1000);
    pthread_cond_timedwait(&never, &lock, &until);
  }
  return unused;
}

static void *serve(void *unused) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int server = socket(AF_INET, SOCK_STREAM, 0);
  bind(server, (struct sockaddr *)&address, sizeof address);
  listen(server, 8);
  accept(server, NULL, NULL);
  return unused;
}

static void *take_signals(void *unused) {
  sigset_t set;
  int signal;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigwait(&set, &signal);
  return unused;
}

static void *wait_for_work(void *unused) {
  pthread_mutex_lock(&idle_lock);
  for (;;) pthread_cond_wait(&work, &idle_lock);
  return unused;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  pthread_t thread;
  pthread_mutexattr_t kind;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  ms = strcmp(argv[3], "never") == 0 ? 0 : atol(argv[3]);
  with_condition = strcmp(argv[2], "condition") == 0;
  pthread_mutexattr_init(&kind);
  if (strcmp(argv[2], "errorcheck") == 0) pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  if (strcmp(argv[2], "recursive") == 0) pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&locks[0], &kind);
  pthread_mutex_init(&locks[1], &kind);
  pthread_barrier_init(&both, NULL, 2);
  void *(*beside)(void *) = strcmp(argv[1], "ticker") == 0     ? tick
                            : strcmp(argv[1], "metrics") == 0  ? measure
                            : strcmp(argv[1], "listener") == 0 ? serve
                            : strcmp(argv[1], "signal") == 0   ? take_signals
                                                               : wait_for_work;
  pthread_create(&thread, NULL, beside, NULL);
  if (beside == wait_for_work) pthread_create(&thread, NULL, tick, NULL);
  for (long own = 0; own < 2; own++) pthread_create(&thread, NULL, lock_both, (void *)own);
  pthread_join(thread, NULL);
  return 0;
}
