import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import type { View } from './view.js';
import { isAnswered } from './wakers/socket.js';

/** The tools that an agent waits for, as its own stream shows. */
export interface AwaitedTools {
  /** No process of the tools started before this time since boot, in clock ticks. */
  startedTicks: number;
}

/**
 * The branches of the tree that are tools of an agent. All known agents run the shell of a tool as a child that leads a
 * session of its own. Their servers (MCP, language servers) stay in the session of the agent, and they run before the tool
 * begins.
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

  /** How many tools the agent waits for, as far as the kernel shows. */
  get awaited(): number {
    return this.#roots.filter((root) => this.startedInTime(root)).length;
  }

  /** No other tool lives that could open a FIFO or send a signal. */
  get isOnly(): boolean {
    return this.#roots.length === 1;
  }

  /** The process started after the agent called the tools that it waits for. */
  startedInTime({ startTicks }: ProcessFacts): boolean {
    return this.#awaited !== null && startTicks >= this.#awaited.startedTicks;
  }

  /** The agent waits for the tool that this process belongs to. */
  isAwaited(pid: number): boolean {
    const root = this.#rootOf.get(pid);
    return root !== undefined && this.startedInTime(root);
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
    const own = [...this.#tree.members].filter((pid) => !this.#rootOf.has(pid));
    return own.some((pid) => {
      const fds = this.#tree.process(pid)?.fds ?? [];
      return isAbsent(fds) || fds.some((file) => isUnanswered(this.#tree.sockets.of(file)));
    });
  }
}

function isUnanswered(socket: SocketFacts | undefined): boolean {
  if (socket?.family !== 'tcp' || socket.state !== 'ESTABLISHED' || socket.accepted) return false;
  return !isAnswered(socket);
}
