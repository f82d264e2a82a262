// A chain of threads that grows: each one starts the next and joins it, argv[1] of them in argv[2] ms. argv[3] "closed": the last one wants the
// mutex that main holds while it joins the first.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int step_ms, is_closed;

static void *link_of_chain(void *left) {
  pthread_t next;
  usleep(step_ms * 1000);
  if ((long)left > 0) {
    if (pthread_create(&next, NULL, link_of_chain, (void *)((long)left - 1))) exit(1);
    pthread_join(next, NULL);
  } else if (is_closed) {
    pthread_mutex_lock(&mutex);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t first;
  if (argc < 3) return 1;
  step_ms = atoi(argv[2]) / atoi(argv[1]);
  is_closed = argc > 3;
  pthread_mutex_lock(&mutex);
  if (pthread_create(&first, NULL, link_of_chain, (void *)(long)(atoi(argv[1]) - 1))) return 1;
  return pthread_join(first, NULL);
}
