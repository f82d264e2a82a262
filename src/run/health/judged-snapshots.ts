import { type AgentMoments, agentTree } from '../../diagnose/agents/agent-tree.js';
import { answerOf } from '../../diagnose/explain/answer.js';
import { serversOf } from '../../diagnose/explain/findings.js';
import type { AwaitedTools } from '../../diagnose/graph/tool-branches.js';
import { type Judgement, judge } from '../../diagnose/judge.js';
import { stackTargets } from '../../diagnose/stacks/code-place.js';
import { withPlaces } from '../../diagnose/stacks/with-places.js';
import { ticksPerSecond } from '../../model/facts/sample.js';
import type { Snapshot } from '../../model/facts/snapshot.js';
import type { AgentTree } from '../../model/run/agent.js';
import { type Diagnosis, type Health, healths, type TreeSample } from '../../model/run/health.js';
import type { Finding, WhyAnswer } from '../../model/verdict.js';
import { uptimeMs } from '../../probe/machine.js';
import { type AskLevel, askStacks } from '../../probe/stacks.js';
import { answerLive } from '../stop/answer-live.js';
import type { AgentTimes } from './agent-monitor.js';
import type { SnapshotPermit } from './snapshot-permit.js';

/** Time limit for all queries to language runtimes together. */
const askMsMax = 8000;
/** Some programs print when they are queried. They are not queried again at every change, quiet ones when it gets worse. */
const askAgainMs = 300_000;
/** Queries that no program notices, and that nothing came of: on a busy machine the answer may take too long. */
const askInVainMs = 10_000;
/** An agent may start a tool before its event about the call is read. */
const printedLateMs = 10_000;
/** The same for its result, after which it may start hooks. */
const finishedLateMs = 5000;

/** The result of one snapshot. */
export type Seen = Pick<WhyAnswer, 'verdict' | 'findings'> & {
  agent: AgentTree;
  servers: Finding[];
  /** A limit was reached, so what is not in it may be there all the same. */
  isCut: boolean;
};

export interface JudgedSnapshotsOptions {
  /** false: the stacks of processes are not read. */
  readsStacks?: boolean;
  /** What the stream of an agent shows; null: the command is not a known agent. */
  agentTimes?: () => AgentTimes | null;
  /** The tools that an agent waits for, where the agent itself has reported them. */
  awaited?: () => AwaitedTools | null;
  /** Queries the language runtimes. */
  ask?: typeof askStacks;
}

/** The snapshots of one run: their judgement, and what they have in common with the one before. */
export class JudgedSnapshots {
  readonly #options: JudgedSnapshotsOptions;
  /** From the last snapshot. */
  #judgement: Judgement | null = null;
  /** Bytes of each connection in the last snapshot; null: none yet. */
  #socketBytes: Map<number, number> | null = null;
  #askAgainAtMs = Number.NEGATIVE_INFINITY;
  /** The health that the runtimes were last queried for. */
  #askedFor: Health = 'healthy';

  constructor(options: JudgedSnapshotsOptions) {
    this.#options = options;
  }

  /** null: the command ended meanwhile, or its place did not answer. */
  async judge(sample: TreeSample, permit: SnapshotPermit): Promise<Seen | null> {
    try {
      const moments = this.#moments();
      const { tools: awaited } = moments;
      const snapshot = await permit.snapshot;
      sample.networkBytes = this.#networkBytes(snapshot);
      const judgement = judge(snapshot);
      this.#judgement = judgement;
      if (judgement === null) return null;
      const { verdict, findings } =
        this.#options.readsStacks === false ? answerOf(judgement, awaited) : answerLive(judgement, awaited);
      // Only needed where no time limit of a run ends them.
      const servers = this.#options.awaited === undefined ? [] : serversOf(judgement, awaited);
      const isCut = snapshot.absent.some(({ reason }) => reason === 'limit');
      return { verdict, findings, agent: agentTree(judgement.view, moments), servers, isCut };
    } catch {
      // The shim reports an end.
      return null;
    }
  }

  /**
   * The diagnosis with what the language runtimes report about the code of the processes; null: they report nothing, or
   * were queried a while ago.
   */
  async explain(diagnosis: Diagnosis, level: AskLevel): Promise<Diagnosis | null> {
    const judgement = this.#judgement;
    const nowMs = performance.now();
    // What a program did when it was only silent does not show where it hangs.
    const isWorse = healths.indexOf(diagnosis.health) > healths.indexOf(this.#askedFor);
    const isDue = nowMs >= this.#askAgainAtMs || (isWorse && level === 'quiet');
    if (judgement === null || !isDue) return null;
    this.#askedFor = diagnosis.health;
    this.#askAgainAtMs = nowMs + askAgainMs;
    const { bootId } = judgement.view.snapshot.host;
    const targets = stackTargets(judgement).map(({ pid, startTicks }) => ({ bootId, pid, startTicks }));
    const ask = this.#options.ask ?? askStacks;
    const asked = await ask(targets, level, askMsMax).catch(() => []);
    if (asked.length === 0 && level === 'quiet') this.#askAgainAtMs = nowMs + askInVainMs;
    if (asked.length === 0) return null;
    return withPlaces(diagnosis, answerLive(judgement, this.#moments().tools, asked));
  }

  #moments(): AgentMoments {
    const times = this.#options.agentTimes?.() ?? null;
    const bootMs = uptimeMs();
    const ticks = (forMs: number, lateMs: number): number =>
      ((bootMs - forMs - lateMs) * ticksPerSecond) / 1000;
    const { toolsForMs = null, spokeForMs = null, resultForMs = null } = times ?? {};
    return {
      tools: this.#options.awaited?.() ?? toolsAwaited(toolsForMs, ticks),
      spokeTicks: spokeForMs === null ? null : ticks(spokeForMs, 0),
      resultTicks: resultForMs === null ? null : ticks(resultForMs, finishedLateMs),
    };
  }

  /** Bytes over the tree's connections since the last snapshot; null: no earlier snapshot, or nothing counted. */
  #networkBytes({ sockets }: Snapshot): number | null {
    const before = this.#socketBytes;
    const counted = sockets.filter(({ tcp }) => tcp !== undefined);
    const now = new Map(
      counted.map(({ inode, tcp }) => [inode, (tcp?.bytesReceived ?? 0) + (tcp?.bytesAcked ?? 0)]),
    );
    this.#socketBytes = now;
    if (before === null) return null;
    let bytes = 0;
    for (const [inode, total] of now) bytes += total - (before.get(inode) ?? total);
    return counted.length === 0 ? null : bytes;
  }
}

function toolsAwaited(
  forMs: AgentTimes['toolsForMs'],
  ticks: (forMs: number, lateMs: number) => number,
): AwaitedTools | null {
  if (forMs === null) return null;
  return forMs === 'unseen'
    ? { from: 'kernel' }
    : { from: 'events', startedTicks: ticks(forMs, printedLateMs) };
}
