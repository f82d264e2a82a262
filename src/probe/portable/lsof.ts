import type { FdFacts, FdKind } from '../../model/facts/snapshot.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import { classifyLink } from '../linux/proc/fd.js';

/**
 * Machine output: a field per line, identified by its first letter. -n -P: no names of hosts and ports, which could
 * hang; -b -w: no call that may block on a dead mount, and no warning about it.
 */
export function lsofArguments(pids: readonly number[]): string[] {
  return ['-n', '-P', '-b', '-w', '-Tqs', '-FpfatDdinPT', '-p', pids.join(',')];
}

/** The output of lsof about one process. */
export interface LsofFiles {
  fds: FdFacts[];
  exe: string | null;
  /** The process was listed, but its open files were not. */
  denied: boolean;
}

export interface LsofFacts {
  files: Map<number, LsofFiles>;
  sockets: SocketFacts[];
}

type Fields = Partial<Record<string, string>>;

const anonymous: Record<string, FdKind> = {
  eventpoll: 'epoll',
  eventfd: 'eventfd',
  timerfd: 'timerfd',
  signalfd: 'signalfd',
  pidfd: 'pidfd',
  inotify: 'inotify',
  io_uring: 'io_uring',
};

/** macOS and the BSDs identify sockets by a kernel address; a snapshot numbers them instead. */
class SocketNumbers {
  readonly #numbers = new Map<string, number>();

  of(key: string): number {
    if (/^\d{1,15}$/.test(key)) return Number(key);
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** `*:80`, `[::1]:80`, `127.0.0.1:80`: in the spelling of the Linux probe. */
function address(text: string | undefined, type: string): string {
  const any = type === 'IPv6' ? '[::]' : '0.0.0.0';
  if (text === undefined || text === '') return `${any}:0`;
  return text.replace(/^\*/, any).replace(/:\*$/, ':0');
}

const stateNames: Record<string, string> = {
  FIN_WAIT_1: 'FIN_WAIT1',
  FIN_WAIT_2: 'FIN_WAIT2',
  SYN_RCVD: 'SYN_RECV',
  CLOSED: 'CLOSE',
};

const number = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

function inetSocket(fields: Fields, inode: number): SocketFacts {
  const [local, remote] = (fields.n ?? '').split('->');
  const type = fields.t ?? 'IPv4';
  const state = fields.ST ?? 'UNKNOWN';
  return {
    inode,
    space: 'own',
    family: fields.P === 'UDP' ? 'udp' : 'tcp',
    state: stateNames[state] ?? state,
    local: address(local, type),
    remote: address(remote, type),
    receiveQueue: number(fields.QR),
    sendQueue: number(fields.QS),
  };
}

/** A unix socket, where its other end is known (BSD) or it has none (a listening socket); else null: no facts. */
function unixSocket(fields: Fields, inode: number, numbers: SocketNumbers): SocketFacts | null {
  const peer = /^->(0x[0-9a-f]+)/.exec(fields.n ?? '')?.[1];
  const listening = fields.ST === 'LISTEN';
  if (peer === undefined && !listening) return null;
  return {
    inode,
    space: 'own',
    family: 'unix',
    state: listening ? 'LISTEN' : 'ESTABLISHED',
    local: /^[/@]/.test(fields.n ?? '') ? (fields.n ?? '').replace(/ type=\w+.*$/, '') : '',
    remote: '',
    receiveQueue: 0,
    sendQueue: 0,
    ...(peer === undefined ? {} : { peer: numbers.of(peer) }),
  };
}

/** A name per kernel object: an inode on Linux; elsewhere the addresses of both ends, the smaller address first. */
function pipeObject({ d = '', i, n = '' }: Fields): string {
  if (i !== undefined) return `pipe:${i}`;
  const peer = n.replace(/^->/, '');
  return `pipe:${[d, peer].filter(Boolean).sort()[0] ?? 'unknown'}`;
}

function classify(fields: Fields): { kind: FdKind; object: string } {
  const { t: type = '', n: name = '', i = '', D: device = '' } = fields;
  if (type === 'PIPE' || (type === 'FIFO' && !name.startsWith('/'))) {
    return { kind: 'pipe', object: pipeObject(fields) };
  }
  if (type === 'FIFO') return { kind: 'fifo', object: `fifo:${device}:${i}` };
  const inode = /^\[(\w+)(?::(\d+))?/.exec(name);
  const kind = type === 'a_inode' ? anonymous[inode?.[1] ?? ''] : undefined;
  if (kind !== undefined) {
    return { kind, object: kind === 'eventfd' && inode?.[2] ? `eventfd:${inode[2]}` : name };
  }
  return classifyLink(name, null);
}

function parseFile(
  fields: Fields,
  fd: number,
  numbers: SocketNumbers,
): { file: FdFacts; socket: SocketFacts | null } {
  const { t: type = '', n: name = '', a: access = '' } = fields;
  const file: FdFacts = {
    fd,
    link: name === '' ? type : name,
    ...classify(fields),
    // Unknown access: either is possible.
    read: access.trim() !== 'w',
    write: access.trim() !== 'r',
  };
  if (type !== 'unix' && type !== 'IPv4' && type !== 'IPv6' && type !== 'sock') return { file, socket: null };
  const inode = numbers.of(fields.i ?? fields.d ?? `${fd} ${name}`);
  Object.assign(file, { kind: 'socket', object: `socket:${inode}` });
  if (type === 'sock') return { file, socket: null };
  const socket = type === 'unix' ? unixSocket(fields, inode, numbers) : inetSocket(fields, inode);
  return { file, socket };
}

/** The entries of a process in order: each begins with its `f`. */
function* entries(text: string): Generator<{ pid: number; fields: Fields | null }> {
  let pid = 0;
  let fields: Fields | null = null;
  for (const line of text.split('\n')) {
    const [letter = '', value] = [line[0], line.slice(1)];
    if (letter === 'p' || letter === 'f') {
      if (fields !== null) yield { pid, fields };
      fields = letter === 'f' ? { f: value } : null;
      if (letter === 'p') {
        pid = Number(value);
        yield { pid, fields: null };
      }
    } else if (fields !== null && letter === 'T') {
      const [key = '', state = ''] = value.split('=', 2);
      fields[key] = state;
    } else if (fields !== null && letter !== '') fields[letter] = value;
  }
  if (fields !== null) yield { pid, fields };
}

export function parseLsof(text: string): LsofFacts {
  const files = new Map<number, LsofFiles>();
  const sockets = new Map<number, SocketFacts>();
  const numbers = new SocketNumbers();
  for (const { pid, fields } of entries(text)) {
    if (!Number.isSafeInteger(pid) || pid <= 0) continue;
    const known = files.get(pid) ?? { fds: [], exe: null, denied: false };
    files.set(pid, known);
    if (fields === null) continue;
    if (fields.f === 'NOFD' || /\((?:readlink|opendir): Permission denied\)/.test(fields.n ?? '')) {
      known.denied = true;
    } else if (fields.f === 'txt' && known.exe === null) known.exe = fields.n ?? null;
    const fd = Number(/^\d+$/.exec(fields.f ?? '')?.[0] ?? -1);
    if (fd < 0) continue;
    const { file, socket } = parseFile(fields, fd, numbers);
    known.fds.push(file);
    if (socket !== null) sockets.set(socket.inode, socket);
  }
  return { files, sockets: [...sockets.values()] };
}
