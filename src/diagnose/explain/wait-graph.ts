import type { GraphEdge, GraphMark, GraphNode, WaitGraph } from '../../model/wait-graph.js';
import { printable } from '../../text/printable.js';
import { pathTo } from '../graph/explore.js';
import type { Task, View } from '../graph/view.js';
import type { Judgement } from '../judge.js';
import { viaWords } from './chain.js';
import { describeTask } from './evidence.js';
import { goroutineName, parkedWords } from './goroutines.js';
import { commandLine, shortName } from './names.js';
import { endWords } from './sentences.js';

const nodesMax = 80;
const edgesMax = 400;
const threadsMax = 16;

/** The judged waits of a tree: its own verdict first, then each finding. */
export function waitGraphOf(whole: Judgement, findings: readonly Judgement[]): WaitGraph {
  const drawing = new Drawing(whole.view);
  const target = whole.view.target;
  if (target !== undefined) drawing.process(target.pid, 'target');
  drawing.judgement(whole, null);
  for (const [index, finding] of findings.entries()) drawing.judgement(finding, index);
  return drawing.finish();
}

type Link = Pick<GraphEdge, 'kind'> & Partial<GraphEdge>;

class Drawing {
  readonly #view: View;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges = new Map<string, GraphEdge>();
  readonly #lists = new Map<readonly number[], readonly { pid: number; id: string }[]>();

  constructor(view: View) {
    this.#view = view;
  }

  get #isFull(): boolean {
    return this.#nodes.size >= 2 * nodesMax;
  }

  /** null: it cannot be drawn. */
  process(pid: number, mark?: GraphMark, finding: number | null = null): string | null {
    const process = this.#view.process(pid);
    if (process === undefined) return null;
    // Describing a process takes as long as it waits for files: once is enough, whatever leads to it.
    const known = this.#nodes.get(`p${pid}`);
    if (known !== undefined) return this.#node(known, mark, finding);
    if (this.#isFull) return null;
    const [thread] = process.threads;
    return this.#node(
      {
        id: `p${pid}`,
        kind: 'process',
        pid,
        startTicks: process.startTicks,
        label: `${shortName(process)} (${pid})`,
        command: commandLine(process),
        doing: thread === undefined ? 'unknown' : describeTask(this.#view, { process, thread }),
        inTree: process.inTree,
      },
      mark,
      finding,
    );
  }

  judgement(judgement: Judgement, finding: number | null): void {
    const { exploration, task, waiter, cause, kind, view } = judgement;
    for (const { from, to, via } of exploration.edges) {
      if (to.length === 0) continue;
      const source = this.process(from.process.pid);
      for (const { id } of this.#drawn(to)) this.#edge(source, id, { kind: 'waits', words: viaWords[via] });
    }
    if (finding !== null) for (const pid of view.members) this.process(pid, 'stuck', finding);
    const path = pathTo(exploration, task.process.pid);
    for (const [index, { pid }] of path.entries()) {
      const next = path[index + 1];
      if (next !== undefined) this.#edge(this.process(pid), this.process(next.pid), onPath(next.step?.via));
    }
    if ('tasks' in cause) this.#cycle(judgement, finding);
    else if (kind !== 'working') {
      const blocker = this.process(task.process.pid, 'blocker', finding);
      const words = endWords(cause);
      if (task === waiter && words !== '') this.#edge(blocker, this.#end(words), onPath());
    }
  }

  finish(): WaitGraph {
    const members = [...this.#view.members].flatMap((pid) => this.#view.process(pid) ?? []);
    let omitted = 0;
    for (const { pid } of members) {
      if (this.#nodes.size < nodesMax) this.process(pid);
      else if (!this.#nodes.has(`p${pid}`)) omitted += 1;
    }
    for (const { pid, parent } of members) {
      const [from, to] = [`p${parent}`, `p${pid}`];
      const isDrawn = this.#nodes.has(from) && this.#nodes.has(to);
      const isLinked = this.#edges.has(`${from} ${to}`) || this.#edges.has(`${to} ${from}`);
      if (isDrawn && !isLinked) this.#edge(from, to, { kind: 'started' });
    }
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()], omitted };
  }

  /** The members of a deadlock: processes, or threads where these are of one process. */
  #cycle({ cause, exploration }: Judgement, finding: number | null): void {
    if (cause.kind === 'stuck-goroutines') {
      for (const parked of cause.stuck.slice(0, threadsMax)) {
        const [task] = cause.tasks;
        if (task === undefined) continue;
        const doing = `waits for ${parkedWords(parked)}${parked.at === null ? '' : ` at ${printable(parked.at)}`}`;
        this.#thread(
          task,
          { id: `g${task.process.pid}.${parked.id}`, label: goroutineName(parked), doing },
          finding,
        );
      }
      return;
    }
    if (!('tasks' in cause)) return;
    const { tasks } = cause;
    const pids = new Set(tasks.map(({ process }) => process.pid));
    if (cause.kind === 'lock-cycle') {
      const nodes = tasks.slice(0, threadsMax).map((task) => this.#taskNode(task, finding));
      for (const [index, from] of nodes.entries()) {
        const isLast = index === nodes.length - 1;
        if (isLast && cause.goneOwner !== null) break;
        this.#edge(from, nodes[(index + 1) % nodes.length] ?? null, inCycle('a lock held by'));
      }
      return;
    }
    const isAlone = cause.kind === 'knot' && cause.alone;
    for (const pid of pids) this.process(pid, isAlone ? 'blocker' : 'cycle', finding);
    if (pids.size === 1) this.#threadsOf(tasks, exploration, finding);
    for (const { from, to, via } of exploration.edges) {
      const source = pids.has(from.process.pid) ? this.process(from.process.pid) : null;
      if (source === null) continue;
      for (const { pid, id } of this.#drawn(to))
        if (pids.has(pid)) this.#edge(source, id, inCycle(viaWords[via]));
    }
  }

  /** Those of these processes that can be drawn. Many may wait for the same list: it is gone through once. */
  *#drawn(to: readonly number[]): Generator<{ pid: number; id: string }> {
    const known = this.#lists.get(to);
    if (known !== undefined) {
      yield* known;
      return;
    }
    const drawn: { pid: number; id: string }[] = [];
    for (const pid of to) {
      const id = this.process(pid);
      if (id === null) continue;
      drawn.push({ pid, id });
      yield { pid, id };
    }
    this.#lists.set(to, drawn);
  }

  /** Threads of one process that wait for each other. */
  #threadsOf(tasks: readonly Task[], { outlooks }: Judgement['exploration'], finding: number | null): void {
    const byTid = new Map(tasks.map((task) => [task.thread.tid, task]));
    for (const { task, wakers } of [...outlooks.values()].flat()) {
      if (!byTid.has(task.thread.tid)) continue;
      for (const waker of wakers) {
        const next = waker.to === 'thread' ? byTid.get(waker.tid) : undefined;
        if (next === undefined || next === task || waker.to !== 'thread' || byTid.size > threadsMax) continue;
        this.#edge(
          this.#taskNode(task, finding),
          this.#taskNode(next, finding),
          inCycle(viaWords[waker.via]),
        );
      }
    }
  }

  /** The process itself stands for its first thread, unless other threads of it are drawn. */
  #taskNode(task: Task, finding: number | null): string | null {
    const { process, thread } = task;
    const doing = describeTask(this.#view, task);
    return this.#thread(
      task,
      { id: `t${process.pid}.${thread.tid}`, label: `thread ${thread.tid}`, doing },
      finding,
    );
  }

  #thread(
    { process }: Task,
    about: Pick<GraphNode, 'id' | 'label' | 'doing'>,
    finding: number | null,
  ): string | null {
    const owner = this.process(process.pid, 'stuck', finding);
    const { pid, startTicks, inTree } = process;
    const node = this.#node(
      { ...about, kind: 'thread', pid, startTicks, command: '', inTree },
      'cycle',
      finding,
    );
    this.#edge(owner, node, { kind: 'has' });
    return node;
  }

  #end(words: string): string | null {
    const about = { label: words, command: '', doing: '', pid: null, startTicks: null, inTree: false };
    return this.#node({ id: `e${words}`, kind: 'end', ...about }, undefined, null);
  }

  #node(
    about: Omit<GraphNode, 'marks' | 'finding'>,
    mark: GraphMark | undefined,
    finding: number | null,
  ): string | null {
    const known = this.#nodes.get(about.id);
    if (known === undefined && this.#isFull) return null;
    const node = known ?? { ...about, marks: [], finding: null };
    this.#nodes.set(about.id, node);
    if (mark !== undefined && !node.marks.includes(mark)) node.marks.push(mark);
    node.finding ??= finding;
    return about.id;
  }

  /** Of two edges between the same nodes, the one that matters is kept. */
  #edge(from: string | null, to: string | null, link: Link): void {
    if (from === null || to === null || from === to) return;
    const key = `${from} ${to}`;
    const known = this.#edges.get(key);
    if (known === undefined && this.#edges.size >= edgesMax) return;
    this.#edges.set(key, {
      from,
      to,
      kind: link.kind,
      words: link.words ?? known?.words ?? '',
      onPath: link.onPath === true || known?.onPath === true,
      inCycle: link.inCycle === true || known?.inCycle === true,
    });
  }
}

const inCycle = (words: string): Link => ({ kind: 'waits', words, inCycle: true });

const onPath = (via?: keyof typeof viaWords): Link => ({
  kind: 'waits',
  onPath: true,
  ...(via !== undefined && { words: viaWords[via] }),
});
