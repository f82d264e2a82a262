// argv[1] listen: a server of libevent without clients; pipe: its only event is a pipe of its own, which nothing writes to.
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

static void on_client(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int length, void *base) {
  (void)listener, (void)address, (void)length, (void)base;
  close(fd);
}

static void on_byte(evutil_socket_t fd, short what, void *base) {
  (void)fd, (void)what;
  event_base_loopbreak(base);
}

int main(int argc, char **argv) {
  struct event_base *base = event_base_new();
  struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fds[2];
  if (argc > 1 && !strcmp(argv[1], "listen"))
    evconnlistener_new_bind(base, on_client, NULL, LEV_OPT_CLOSE_ON_FREE, -1, (struct sockaddr *)&loopback, sizeof loopback);
  else if (pipe(fds) || event_add(event_new(base, fds[0], EV_READ, on_byte, base), NULL))
    return 1;
  return event_base_dispatch(base);
}
