// Hides itself from its own user, as whoever keeps keys does: only root may look at its files and its calls.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

static int serve(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "hidden.sock"};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8)) return 1;
  for (;;) {
    int client = accept(listener, NULL, NULL);
    if (client < 0 && errno != EINTR) return 1;
    close(client);
  }
}

static int ask(void) {
  struct termios terminal;
  char line[128];
  if (tcgetattr(0, &terminal)) return 1;
  terminal.c_lflag &= ~(tcflag_t)ECHO;
  if (tcsetattr(0, TCSAFLUSH, &terminal)) return 1;
  fputs("Passphrase: ", stderr);
  return fgets(line, sizeof line, stdin) == NULL;
}

int main(int argc, char **argv) {
  if (argc < 2 || prctl(PR_SET_DUMPABLE, 0)) return 1;
  return strcmp(argv[1], "ask") == 0 ? ask() : serve();
}
