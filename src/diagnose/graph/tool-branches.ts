import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import type { View } from './view.js';
import { isAnswered } from './wakers/socket.js';

/**
 * The tools that an agent waits for. `events`: its own stream shows that it waits for them, and no process of them started
 * before `startedTicks` since boot. `kernel`: it prints text, and only the kernel may show it.
 */
export type AwaitedTools = { from: 'events'; startedTicks: number } | { from: 'kernel' };

/**
 * The branches of the tree that are tools of an agent. All known agents run the shell of a tool as a child that leads a
 * session of its own. Their servers (MCP, language servers) stay in the session of the agent, and they run before the tool
 * begins.
 *
 * Without events a tool is known by its standard input as well: it is /dev/null, while every server has a pipe or a socket
 * there. The agent waits for it if nothing else is left to wait for: no request is without an answer, and its own input is no
 * terminal, pipe or socket from which a user or a program could send the next task.
 */
export class ToolBranches {
  readonly #tree: View;
  readonly #awaited: AwaitedTools | null;
  /** Topmost processes of all tools, also of those that the agent does not wait for. */
  readonly #roots: ProcessFacts[] = [];
  readonly #rootOf = new Map<number, ProcessFacts>();

  constructor(tree: View, awaited: AwaitedTools | null) {
    this.#tree = tree;
    this.#awaited = awaited;
    const root = tree.target;
    if (awaited === null || root === undefined) return;
    const queue = [...tree.childrenOf(root.pid)];
    for (const pid of queue) {
      const process = tree.process(pid);
      if (process === undefined || !tree.hasMember(pid)) continue;
      if (process.session === pid) this.#add(process);
      else queue.push(...tree.childrenOf(pid));
    }
  }

  #add(root: ProcessFacts): void {
    this.#roots.push(root);
    for (const pid of this.#tree.branch(root.pid).members) this.#rootOf.set(pid, root);
  }

  /** The topmost processes of the tools that the agent waits for, as far as the kernel shows; without events, of all. */
  get awaitedRoots(): number[] {
    const roots = this.isShown ? this.#roots.filter((root) => this.mayBeAwaited(root)) : this.#roots;
    return roots.map(({ pid }) => pid);
  }

  /** How many tools the agent waits for; without events, how many live. */
  get awaited(): number {
    return this.awaitedRoots.length;
  }

  /** No other tool lives that could open a FIFO or send a signal. */
  get isOnly(): boolean {
    return this.#roots.length === 1;
  }

  /** The process may belong to a tool that the agent waits for: by its start, or by what the agent gives to tools only. */
  mayBeAwaited({ startTicks, session, ...process }: ProcessFacts): boolean {
    if (this.#awaited?.from === 'events') return startTicks >= this.#awaited.startedTicks;
    if (this.#awaited === null || session === this.#tree.target?.session) return false;
    return hasNoInput(process) && this.#hasNothingElse;
  }

  /** The agent waits for the tool that this process belongs to. */
  isAwaited(pid: number): boolean {
    const root = this.#rootOf.get(pid);
    if (root === undefined || !this.mayBeAwaited(root)) return false;
    // Of several, one may be in the background.
    return this.isShown || this.isOnly;
  }

  /** The stream of the agent shows that it waits for a tool. */
  get isShown(): boolean {
    return this.#awaited?.from === 'events';
  }

  /** Neither its model nor a user or program at its standard input could give the agent something to do. */
  get #hasNothingElse(): boolean {
    const agent = this.#tree.target;
    return agent !== undefined && hasNoInput(agent) && !this.asksModel;
  }

  /**
   * Whether a time limit of this process counts as one of a stuck part. An agent gives its tools a limit as well: a stuck
   * tool is reported before that.
   */
  mayLimit(pid: number): boolean {
    return this.#awaited === null || !this.isOfAgent(pid);
  }

  isAwaitedRoot(pid: number | undefined): boolean {
    return pid !== undefined && this.#rootOf.get(pid)?.pid === pid && this.isAwaited(pid);
  }

  /** A process of the agent, outside of all tools. */
  isOfAgent(pid: number): boolean {
    return this.#tree.hasMember(pid) && !this.#rootOf.has(pid);
  }

  /** A request of the agent has no answer yet: the answer of its model may become input of a tool. */
  get asksModel(): boolean {
    return this.#hasSocket((socket) => this.#isServed(socket) && !isAnswered(socket));
  }

  /** The agent has a connection to a server: an answer that is read slowly may go on. */
  get hasConnection(): boolean {
    return this.#hasSocket((socket) => this.#isServed(socket));
  }

  /** A process of the agent has such a socket, or what it has open cannot be read. */
  #hasSocket(isWanted: (socket: SocketFacts) => boolean): boolean {
    const own = [...this.#tree.members].filter((pid) => !this.#rootOf.has(pid));
    return own.some((pid) => {
      const fds = this.#tree.process(pid)?.fds ?? [];
      if (isAbsent(fds)) return true;
      return fds.flatMap((file) => this.#tree.sockets.of(file) ?? []).some(isWanted);
    });
  }

  /** A connection to another program. An agent may be its own client, and waits then for what its own server waits for. */
  #isServed(socket: SocketFacts): boolean {
    if (!isConnection(socket)) return false;
    const other = this.#tree.sockets.reverse(socket);
    const holders = other === undefined ? [] : this.#tree.holders(`socket:${other.inode}`);
    return !holders.some(({ process }) => this.isOfAgent(process.pid));
  }
}

/** Standard input is /dev/null: nothing can be sent to the process there. What has a path may be a FIFO. */
function hasNoInput({ fds }: Pick<ProcessFacts, 'fds'>): boolean {
  const input = isAbsent(fds) ? undefined : fds.find(({ fd }) => fd === 0);
  return input?.kind === 'null';
}

function isConnection({ family, state, accepted }: SocketFacts): boolean {
  return family === 'tcp' && state === 'ESTABLISHED' && !accepted;
}
