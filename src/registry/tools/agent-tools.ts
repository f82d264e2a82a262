import type { StuckTool } from '../../diagnose/explain/tool-words.js';
import { toolHint } from '../../diagnose/explain/tool-words.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { Thresholds } from '../../model/run/health.js';
import { presets } from '../../model/run/health.js';
import { noNorms } from '../../model/run/norms.js';
import type { ToolCall } from '../../model/tool.js';
import type { Finding } from '../../model/verdict.js';
import { MemberScan } from '../../probe/members.js';
import { livenessOf } from '../../probe/processes.js';
import { TreeSampler } from '../../run/health/tree-sampler.js';
import { Vitals } from '../../run/health/vitals.js';
import { mayStopPart, PartClaims, PartMembers } from '../../run/stop/part-members.js';
import { terminate } from '../../run/stop/terminate.js';
import { visible } from '../../text/visible.js';
import { type OpenCall, OpenCalls } from './open-calls.js';
import { type CpuUse, nextServed, type Served } from './served.js';
import { hasToolProcess, holdsTerminal } from './tool-processes.js';

const graceMs = 5_000;
/** A call without a process for this long was refused, or its end was not reported. */
const lostMs = 10 * 60_000;
/** For this long a server is looked for at every tick, and later each time this has passed. */
const serversEveryMs = 60_000;

export interface AgentToolsOptions {
  /** Called once for each stuck part. */
  report(tool: StuckTool): void;
  /** A stop failed. */
  failed(error: Error): void;
}

/** Watches the tools of one agent from the begin of a call to its end. */
export class AgentTools {
  readonly #agent: ProcessIdentity;
  readonly #options: AgentToolsOptions;
  readonly #calls = new OpenCalls();
  readonly #claims = new PartClaims();
  readonly #reported = new Set<string>();
  #scan: MemberScan | null = null;
  #sampler: TreeSampler | null = null;
  #vitals: Vitals | null = null;
  #servers: readonly Served[] = [];
  #serversAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #seenMs = 0;

  constructor(agent: ProcessIdentity, options: AgentToolsOptions) {
    this.#agent = agent;
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  get calls(): readonly OpenCall[] {
    return this.#calls.all;
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  begin(call: ToolCall): void {
    this.#calls.begin(call, performance.now());
    this.#seenMs = performance.now();
    this.#plan();
  }

  /** The hint for the agent; null: there is none. */
  end(id: string): string | null {
    const call = this.#calls.end(id);
    if (this.isIdle) this.close();
    return call === undefined || call.hints.length === 0 ? null : visible(call.hints.join('\n'));
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#vitals?.close();
    this.#vitals = null;
    this.#sampler = null;
    this.#scan = null;
    this.#servers = [];
    this.#serversAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Most tools end before the first tick. */
  #plan(): void {
    if (this.isIdle || this.#timer !== null) return;
    const sampleMs = Math.min(...this.#calls.all.map((call) => call.sampleMs));
    this.#timer = setTimeout(() => {
      this.#tick(sampleMs)
        .catch((error: Error) => this.#options.failed(error))
        .finally(() => {
          this.#timer = null;
          this.#plan();
        });
    }, sampleMs);
  }

  async #tick(sampleMs: number): Promise<void> {
    this.#forgetLost(performance.now());
    if (this.isIdle) return this.close();
    // A person is asked for permission, or the tool has ended.
    if (this.#vitals === null && this.#seenMs < performance.now() - sampleMs) return;
    const thresholds = { ...presets.production, sampleMs };
    const vitals = this.#open(thresholds);
    const { findings } = await vitals.tick(() => false, this.#wantsServers(vitals));
    // The last call ended meanwhile.
    if (this.#vitals !== vitals) return;
    const servers = this.#provenServers(vitals, thresholds);
    for (const finding of [...findings, ...servers]) this.#found(finding);
  }

  #open(thresholds: Thresholds): Vitals {
    this.#scan ??= new MemberScan({ runId: null, leader: this.#agent, shim: null });
    this.#sampler ??= new TreeSampler(this.#scan);
    this.#vitals ??= new Vitals({
      leader: this.#agent,
      source: this.#sampler,
      thresholds,
      canAnswer: false,
      norms: () => noNorms,
      startedMs: performance.now(),
      awaited: () => {
        const startedTicks = this.#calls.startedTicks;
        return startedTicks === null ? null : { from: 'events', startedTicks };
      },
    });
    return this.#vitals;
  }

  /** A snapshot shows whether a tool that has run for long enough, and listens, is a server. */
  #wantsServers(vitals: Vitals): boolean {
    const nowMs = performance.now();
    const overMs = this.#calls.all
      .filter(({ serverAfterMs, hints }) => serverAfterMs > 0 && hints.length === 0)
      // A proof takes three samples, which end when the time is over.
      .map(({ serverAfterMs, beganMs, sampleMs }) => nowMs - beganMs - serverAfterMs + 2 * sampleMs);
    if (!overMs.some((ms) => ms >= 0) || !mayListen(vitals)) return false;
    const isYoung = overMs.some((ms) => ms >= 0 && ms < serversEveryMs);
    return isYoung || this.#servers.length > 0 || nowMs - this.#serversAtMs >= serversEveryMs;
  }

  #provenServers({ servers }: Vitals, { proofSamples }: Thresholds): Finding[] {
    if (servers === null) return [];
    const nowMs = performance.now();
    this.#serversAtMs = nowMs;
    this.#servers = nextServed(this.#servers, servers, (pids) => this.#useOf(pids), nowMs);
    return this.#servers
      .filter(({ samples, missed }) => samples >= proofSamples && missed === 0)
      .map(({ finding }) => finding)
      .filter((finding) => {
        const call = this.#calls.of(finding);
        return call !== undefined && call.serverAfterMs > 0 && nowMs - call.beganMs >= call.serverAfterMs;
      });
  }

  #useOf(pids: readonly number[]): CpuUse {
    const use = { cpuTicks: 0, ranMs: 0, delayedMs: 0 };
    for (const { pid, cpuTicks, reapedCpuTicks, mainThread } of this.#sampler?.processes ?? []) {
      if (!pids.includes(pid)) continue;
      use.cpuTicks += cpuTicks + reapedCpuTicks;
      use.ranMs += (mainThread?.ranNs ?? 0) / 1e6;
      use.delayedMs += (mainThread?.delayedNs ?? 0) / 1e6;
    }
    return use;
  }

  #found(finding: Finding): void {
    const call = this.#calls.of(finding);
    const key = `${finding.end.pid} ${finding.end.startTicks} ${finding.kind}`;
    if (call === undefined || this.#reported.has(key)) return;
    this.#reported.add(key);
    const forMs = performance.now() - call.beganMs;
    const isAnswerable = finding.kind === 'needs-input' && holdsTerminal(finding.root.pid);
    const stops = call.onStuck === 'stop' && mayStopPart(finding) && !isAnswerable;
    const action = stops ? 'stopped' : isAnswerable ? 'answerable' : 'reported';
    const tool: StuckTool = { agent: call.agent, command: call.command, finding, forMs, action };
    // The agent asks for it as soon as the tool has ended.
    call.hints.push(toolHint(tool));
    this.#options.report(tool);
    if (stops) void this.#stop(finding).catch((error: Error) => this.#options.failed(error));
  }

  /** The process at the end of the part first, as with `--kill-stuck part`. */
  async #stop(finding: Finding): Promise<void> {
    const top = this.#claims.claim(finding);
    const scan = this.#scan;
    if (top === null || scan === null || top.pid === this.#agent.pid) return;
    const receipt = await terminate({ scan: new PartMembers(scan, top), signal: 'SIGTERM', graceMs });
    if (receipt.survivors.length > 0) throw new Error(`still there: ${receipt.survivors.join(', ')}`);
  }

  /** An agent that has ended, and calls that never became a process. */
  #forgetLost(nowMs: number): void {
    const isGone = livenessOf(this.#agent) === 'ended';
    if (hasToolProcess(this.#agent.pid, this.#calls.startedTicks ?? 0)) this.#seenMs = nowMs;
    if (isGone || nowMs - this.#seenMs > lostMs) for (const { id } of this.#calls.all) this.#calls.end(id);
  }
}

/** As of the last tick. */
function mayListen({ sample }: Vitals): boolean {
  if (sample === null) return false;
  return sample.connections === null || (sample.connections.LISTEN ?? 0) > 0;
}
