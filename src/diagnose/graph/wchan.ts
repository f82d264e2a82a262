import { isAbsent } from '../../model/facts/absence.js';
import type { FdFacts, FdKind } from '../../model/facts/snapshot.js';
import { type Awaited, type Purpose, unknownWait, type Wait } from './awaited.js';
import type { Task, View } from './view.js';

interface Row {
  pattern: RegExp;
  call: string;
  form?: Wait['form'];
  timed?: true;
  /** The function serves other waits as well. */
  vague?: true;
  files?: { kinds: FdKind[]; purpose: Purpose };
  on?: Awaited[];
}

/**
 * Kernel functions in which threads sleep. Names change between kernels: the list has all known names, and is never a
 * proof.
 */
const rows: Row[] = [
  { pattern: /pipe_read/, call: 'read', files: { kinds: ['pipe', 'fifo', 'file'], purpose: 'read' } },
  { pattern: /pipe_write/, call: 'write', files: { kinds: ['pipe', 'fifo', 'file'], purpose: 'write' } },
  { pattern: /n_tty_read|tty_read/, call: 'read', files: { kinds: ['terminal'], purpose: 'read' } },
  // Also the wait for room to write to a terminal, and for a connection.
  {
    pattern: /^wait_woken$/,
    vague: true,
    call: 'read',
    files: { kinds: ['terminal', 'socket'], purpose: 'read' },
  },
  {
    pattern: /unix_stream_read|unix_stream_data_wait|skb_wait_for_more|skb_recv|sk_wait_data|tcp_recvmsg/,
    call: 'recv',
    files: { kinds: ['socket'], purpose: 'read' },
  },
  {
    pattern: /sk_stream_wait_memory|sock_alloc_send|unix_stream_sendmsg|unix_wait_for_peer/,
    call: 'send',
    files: { kinds: ['socket'], purpose: 'write' },
  },
  { pattern: /accept/, call: 'accept', files: { kinds: ['socket'], purpose: 'accept' } },
  { pattern: /connect/, call: 'connect', files: { kinds: ['socket'], purpose: 'connect' } },
  { pattern: /eventfd_read/, call: 'read', files: { kinds: ['eventfd'], purpose: 'read' } },
  { pattern: /timerfd_read/, call: 'read', files: { kinds: ['timerfd'], purpose: 'read' } },
  { pattern: /inotify_read/, call: 'read', files: { kinds: ['inotify'], purpose: 'read' } },
  { pattern: /signalfd/, call: 'read', files: { kinds: ['signalfd'], purpose: 'read' } },
  {
    pattern: /ep_poll|epoll_wait/,
    call: 'epoll_wait',
    form: 'set',
    files: { kinds: ['epoll'], purpose: 'read' },
  },
  {
    pattern: /do_poll|do_sys_poll|poll_schedule_timeout|do_select/,
    call: 'poll',
    form: 'set',
    files: {
      kinds: [
        'pipe',
        'fifo',
        'socket',
        'terminal',
        'ptmx',
        'eventfd',
        'timerfd',
        'signalfd',
        'inotify',
        'pidfd',
      ],
      purpose: 'read',
    },
  },
  { pattern: /do_wait|kernel_wait|wait_consider/, call: 'wait4', on: [{ what: 'children', pids: 'any' }] },
  {
    pattern: /kernel_clone|wait_for_vfork|^_do_fork/,
    call: 'vfork',
    on: [{ what: 'children', pids: 'any' }],
  },
  { pattern: /nanosleep/, call: 'nanosleep', timed: true, on: [] },
  {
    pattern: /futex/,
    call: 'futex',
    on: [unknownWait('a lock or condition of its own threads')],
  },
  {
    pattern: /wait_for_partner|fifo_open/,
    call: 'open',
    on: [{ what: 'outside', cause: { kind: 'fifo-partner', path: '', opening: true } }],
  },
  {
    pattern: /flock|posix_lock|setlk|locks_lock/,
    call: 'flock',
    on: [{ what: 'file-lock', file: null, ofFile: false }],
  },
  {
    pattern: /sigsuspend|sys_pause|do_sigtimedwait|rt_sigtimedwait/,
    call: 'sigsuspend',
    on: [{ what: 'signal', mask: null }],
  },
  {
    pattern: /io_cqring|io_uring|read_events|aio/,
    call: 'io_uring_enter',
    on: [{ what: 'outside', cause: { kind: 'ring' } }],
  },
  {
    pattern: /semtimedop|do_msg|mq_/,
    call: 'ipc',
    on: [{ what: 'outside', cause: { kind: 'ipc', call: 'System V or POSIX queue' } }],
  },
  {
    pattern: /fuse|nfs|rpc_wait|cifs|smb2|p9_|request_wait_answer/,
    call: 'file system',
    on: [{ what: 'filesystem', path: null }],
  },
];

function candidates(process: Task['process'], kinds: readonly FdKind[], purpose: Purpose): FdFacts[] {
  if (isAbsent(process.fds)) return [];
  return process.fds.filter(
    (file) =>
      kinds.includes(file.kind) && (file.kind !== 'pipe' || (purpose === 'write' ? file.write : file.read)),
  );
}

/** An epoll instance among the candidates stands for its registered files. */
function unfold(view: View, process: Task['process'], file: FdFacts): FdFacts[] {
  if (file.detail?.of !== 'epoll') return [file];
  return file.detail.targets.flatMap(({ fd }) => view.file(process, fd) ?? []);
}

/**
 * A set-user-id program at a prompt: neither its call nor its files may be read, but it is in the foreground of a
 * terminal that does not echo, and sleeps.
 */
function promptBehindWall({ process, thread }: Task): Wait | null {
  const { settings, foregroundGroup } = process.terminal;
  if (!isAbsent(process.fds) || settings === undefined || settings.echo) return null;
  if (foregroundGroup !== process.group || thread.state !== 'S' || thread.moved === true) return null;
  const { name, canonical, echo } = settings;
  const file: FdFacts = {
    fd: 0,
    kind: 'terminal',
    link: `/dev/${name}`,
    object: `terminal:${name}`,
    read: true,
    write: true,
    detail: { of: 'terminal', canonical, echo, timed: false },
  };
  const on: Awaited[] = [{ what: 'file', file, purpose: 'read' }];
  return { call: 'read', source: 'wchan', form: 'single', on, timeout: null, complete: canonical };
}

function hides({ call }: Task['thread']): boolean {
  return isAbsent(call) && call.absent === 'hidden';
}

/**
 * Degraded mode: without the right to read the call, the wait is inferred from the kernel function in which the thread
 * sleeps.
 */
export function shapeOfWchan(view: View, { process, thread }: Task): Wait | null {
  if (thread.state === 'R') return null;
  const { wchan } = thread;
  const row = wchan === null ? undefined : rows.find(({ pattern }) => pattern.test(wchan));
  const nothing: Wait = {
    call: wchan ?? 'unknown',
    source: 'none',
    form: 'single',
    on: [
      hides(thread)
        ? { what: 'outside', cause: { kind: 'hidden' } }
        : unknownWait(wchan ?? 'a call we may not read'),
    ],
    timeout: null,
    complete: false,
  };
  if (row === undefined) return promptBehindWall({ process, thread }) ?? nothing;
  const { files, on = [] } = row;
  const found = files === undefined ? [] : candidates(process, files.kinds, files.purpose);
  const unfolded = found
    .flatMap((file) => unfold(view, process, file))
    .filter((file) => file.kind !== 'epoll');
  const distinct = [...new Map(unfolded.map((file) => [file.object, file])).values()];
  if (files !== undefined && distinct.length === 0) return nothing;
  const purpose = files?.purpose ?? 'read';
  return {
    call: row.call,
    source: 'wchan',
    form: row.form ?? (distinct.length > 1 ? 'set' : 'single'),
    on: [...on, ...distinct.map((file): Awaited => ({ what: 'file', file, purpose }))],
    timeout: row.timed === true ? { leftMs: null, exact: false } : null,
    // A set or a sleep may have a deadline that only the arguments would show.
    complete: row.form !== 'set' && row.vague !== true && distinct.length <= 1 && row.call !== 'futex',
  };
}
