// A child reads its stdin, and a supervisor holds that call (seccomp user notification). argv[1] ms: it answers the call after that time, with an
// end of file; never: it waits for the end of the child first.
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static union {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr header;
} control;
static char byte;
static struct iovec part = {&byte, 1};
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};

static int filter_reads(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

static int read_supervised(int to) {
  int listener = filter_reads();
  if (listener < 0) return 77;
  control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
  memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
  if (sendmsg(to, &message, 0) != 1) return 1;
  close(listener), close(to);
  return read(0, &byte, 1);
}

int main(int argc, char **argv) {
  struct seccomp_notif request = {0};
  struct seccomp_notif_resp answer = {0};
  int pair[2], listener, status = 0;
  if (argc < 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
  pid_t child = fork();
  if (child == 0) return close(pair[0]), read_supervised(pair[1]);
  close(pair[1]);
  if (recvmsg(pair[0], &message, 0) != 1) return 77;
  memcpy(&listener, CMSG_DATA(&control.header), sizeof listener);
  close(pair[0]);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request)) return 1;
  if (!strcmp(argv[1], "never")) waitpid(child, &status, 0);
  else usleep(atoi(argv[1]) * 1000);
  answer.id = request.id;
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer)) return 1;
  waitpid(child, &status, 0);
  return status != 0;
}
