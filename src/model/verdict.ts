import type { Snapshot } from './snapshot.js';

/** What a tree is doing: G3. The order is the order in which documents list them. */
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

export type VerdictKind = (typeof verdictKinds)[number];

/** Weakest first. */
export const certainties = ['low', 'medium', 'high', 'certain'] as const;

export type Certainty = (typeof certainties)[number];

/** A wait is no fault and silence is no proof: these are named, but never certain (A4). */
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

export interface Verdict {
  kind: VerdictKind;
  certainty: Certainty;
  /** The process at the end of the chain: the one to look at. */
  pid: number;
  command: string;
  reason: string;
  evidence: string[];
  /** What to type next, best first. */
  next: string[];
  /** It is unknown because the process hides it from its own user: its silence says nothing. */
  hidden?: true;
  /** Something that was seen may let it go on by itself: a timer, an answer, another process of the tree. */
  wayOut?: true;
  /** A thread in its chain waits for a key or a line on the terminal, maybe beside other things. */
  readsTerminal?: true;
  /** Another process of the tree goes on by itself and could end this wait or this stop: its silence is no fault. */
  relieved?: true;
}

export interface ChainLink {
  pid: number;
  command: string;
  waitsFor: string;
  /** Not part of the tree that was asked about. */
  outside?: true;
}

/** A part of the tree that will not go on by itself, whatever the rest of the tree does. */
export interface Finding {
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
  /** From the root of the part to its end. */
  chain: ChainLink[];
  /** How long no thread of it has run, in milliseconds; null: not known. */
  sinceMs: number | null;
  /** The topmost process of the part: stopping it with all it started frees the rest. */
  root: { pid: number; startTicks: number };
  /** The process outside the part that started it and may still end it; null: not known. */
  owner: { pid: number; name: string; command: string } | null;
  /** All processes of the part. */
  members: number[];
  /** How often its threads have run: the same in two snapshots means that it stood still in between. */
  runs: number;
}

export interface ProcessSummary {
  pid: number;
  parent: number;
  command: string;
  state: string;
  doing: string;
  threads: number;
  inTree: boolean;
}

export interface AbsentFact {
  fact: string;
  why: string;
  costs: string;
}

/** The answer of `unstuck why`: G4b. Fields may be added, none renamed. */
export interface WhyAnswer {
  target: { pid: number; command: string; startTicks: number; bootId: string };
  verdict: Verdict;
  chain: ChainLink[];
  /** Stuck parts of the tree beside what the verdict is about. */
  findings: Finding[];
  processes: ProcessSummary[];
  absent: AbsentFact[];
  /** How long nothing has run in the tree, in milliseconds; null: something runs, or not readable. */
  stillMs: number | null;
  tookMs: number;
  at: string;
}

export interface WhyResult {
  answer: WhyAnswer;
  snapshot: Snapshot;
}
