import type { Snapshot } from './facts/snapshot.js';
import type { RunningTest, ShownStack } from './facts/stack.js';
import type { RemoteCommand } from './place-client.js';
import type { WaitGraph } from './wait-graph.js';

/** Where in its code a process stands. */
export interface CodePlace {
  /** The test that runs; absent: none is known. */
  test?: RunningTest;
  /** Stacks of the stuck process, the most telling first; absent: not read. */
  stack?: ShownStack[];
}

/** What a tree is doing, in the order of the documentation. */
export const verdictKinds = [
  'working',
  'timer',
  'network',
  'needs-input',
  'lock',
  'deadlock',
  'asleep',
  'service',
  'event',
  'stopped',
  'zombie',
  'frozen',
  'starved',
  'spinning',
  'lingering',
  'unknown',
] as const;

/** What a process is doing. */
export type VerdictKind = (typeof verdictKinds)[number];

/** Weakest first. */
export const certainties = ['low', 'medium', 'high', 'certain'] as const;

/** How sure a verdict is. */
export type Certainty = (typeof certainties)[number];

/** Never certain: waiting is not an error, and silence is not a proof. */
export const neverCertain: ReadonlySet<VerdictKind> = new Set([
  'timer',
  'network',
  'lock',
  'service',
  'event',
  'starved',
  'spinning',
  'lingering',
  'unknown',
]);

/** Kinds that will not go on by themselves. */
export const stuckKinds: ReadonlySet<VerdictKind> = new Set([
  'needs-input',
  'deadlock',
  'asleep',
  'stopped',
  'frozen',
  'zombie',
]);

export function weaker(a: Certainty, b: Certainty): Certainty {
  return certainties.indexOf(a) < certainties.indexOf(b) ? a : b;
}

/** An address on which no process listens, and which a process of the tree has tried to reach. */
export interface PolledAddress {
  pid: number;
  /** Its program. */
  name: string;
  /** `127.0.0.1:5432`. */
  address: string;
  /** Failed attempts to connect in its network namespace so far. */
  failedAttempts: number;
}

/** What a process is doing and how sure that is, from one snapshot. */
export interface Verdict extends CodePlace {
  kind: VerdictKind;
  certainty: Certainty;
  /** The process at the end of the chain: the one to look at. */
  pid: number;
  command: string;
  reason: string;
  evidence: string[];
  /** What to type next, best first. */
  next: string[];
  /** A client such as ssh or `docker exec` in the chain: what it waits for is in another place. */
  beyond?: RemoteCommand & { pid: number; startTicks: number };
  /** Unknown because the process hides it from its own user: its silence proves nothing. */
  hidden?: true;
  /** A known timer, answer or other process of the tree may let it go on by itself. */
  wayOut?: true;
  /** A thread in its chain waits for a key or a line on the terminal, maybe beside other things. */
  readsTerminal?: true;
  /** It may be waiting for a process to listen on this address. More snapshots show whether it polls. */
  polls?: PolledAddress;
  /** Another process of the tree goes on by itself and could end this wait or stop: silence is not an error. */
  relieved?: true;
}

/** One step of a chain of waits. */
export interface ChainLink {
  pid: number;
  command: string;
  waitsFor: string;
  /** Not part of the tree that was asked about. */
  outside?: true;
}

/** A thread or goroutine that will not run again, in a process that lives. */
export interface StuckThread {
  /** `thread 4380 (Thread-0)`, `goroutine 1 (main)`. */
  name: string;
  waitsFor: string;
  /** The function and line of the program that waits; null: not known. */
  at: string | null;
  /** How long it has been waiting, at least; null: not known. */
  sinceMs: number | null;
}

/** A part of the tree that will not go on by itself, whatever the rest of the tree does. */
export interface Finding extends CodePlace {
  kind: VerdictKind;
  certainty: Certainty;
  /** The process at the end of the chain: the one to look at. */
  pid: number;
  /** Its program. */
  name: string;
  command: string;
  reason: string;
  evidence: string[];
  /** What to type next, best first. */
  next: string[];
  /** What to do instead of what hangs; absent: not known. */
  instead?: string;
  /** From the root of the part to its end. */
  chain: ChainLink[];
  /** How long no thread of it has run, in milliseconds; null: not known. */
  sinceMs: number | null;
  /** The topmost process of the part: stopping it with all it started frees the rest. */
  root: { pid: number; startTicks: number };
  /** The process at the end of the chain, as it can be told from a later process with its pid. */
  end: { pid: number; startTicks: number };
  /** The process outside the part that started it and may still end it; null: not known. */
  owner: { pid: number; name: string; command: string } | null;
  /** All processes of the part. */
  members: number[];
  /** How often its threads have run: the same in two snapshots means that it stood still in between. */
  runs: number;
  /**
   * A process outside the part that goes on by itself after this time, and may then end the part; `leftMs` null: not known
   * when. Absent: none is known.
   */
  limit?: { pid: number; name: string; leftMs: number | null };
  /** Only these threads are stuck; absent: its processes are, as a whole. */
  inside?: {
    threads: StuckThread[];
    /** What the process does beside them. */
    beside: VerdictKind;
  };
}

/** A process of the tree in short. */
export interface ProcessSummary {
  pid: number;
  parent: number;
  command: string;
  state: string;
  doing: string;
  threads: number;
  inTree: boolean;
}

/** A fact that could not be read, and why. */
export interface AbsentFact {
  fact: string;
  why: string;
  costs: string;
}

/** The answer of `unstuck why`. Fields may be added, none renamed. */
export interface WhyAnswer {
  /** The place, if it is not this machine: `ssh:build`. */
  on?: string;
  target: { pid: number; command: string; startTicks: number; bootId: string };
  verdict: Verdict;
  chain: ChainLink[];
  /** Stuck parts of the tree beside what the verdict is about. */
  findings: Finding[];
  /** The waits that the verdict and the findings rest on. */
  graph: WaitGraph;
  processes: ProcessSummary[];
  absent: AbsentFact[];
  /** How long nothing has run in the tree, in milliseconds; null: something runs, or not readable. */
  stillMs: number | null;
  tookMs: number;
  at: string;
}

/** The answer of `whyWithSnapshot`, with the snapshot that it rests on. */
export interface WhyResult {
  answer: WhyAnswer;
  snapshot: Snapshot;
}
