/** Why a node of the wait graph matters. */
export const graphMarks = ['target', 'blocker', 'cycle', 'stuck'] as const;

/**
 * target: the process that was asked about. blocker: the end of the chain. cycle: part of a deadlock. stuck: part of a
 * finding, which will not go on by itself.
 */
export type GraphMark = (typeof graphMarks)[number];

/** A process, a thread or goroutine of one, or what is waited for outside of all processes. */
export interface GraphNode {
  id: string;
  kind: 'process' | 'thread' | 'end';
  /** null: not a process. */
  pid: number | null;
  /** Field 22 of /proc/PID/stat; null: not a process. */
  startTicks: number | null;
  /** `node (4374)`, `thread 4380`, `a line on the terminal /dev/pts/0`. */
  label: string;
  /** The command line of a process; else empty. */
  command: string;
  /** What it does or waits for, in a few words. */
  doing: string;
  /** false: outside of the tree that was asked about. */
  inTree: boolean;
  marks: GraphMark[];
  /** Position in `findings` of the answer; null: in none. */
  finding: number | null;
}

/** `waits`: the first waits for the second. `started`: the first is the parent. `has`: a process and its thread. */
export interface GraphEdge {
  from: string;
  to: string;
  kind: 'waits' | 'started' | 'has';
  /** `waits for …`: `its child`, `output of`; empty for other kinds. */
  words: string;
  /** On the way to the end that the verdict, or a finding, is about. */
  onPath: boolean;
  inCycle: boolean;
}

/** The graph that the judge followed, as data. */
export interface WaitGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Processes that were left out because there are too many. */
  omitted: number;
}
