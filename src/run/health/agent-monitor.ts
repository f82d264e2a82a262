import type { RunSettings } from '../../config/run-settings.js';
import { readAgentScreen } from '../../diagnose/agents/agent-screen.js';
import { agentScreens } from '../../diagnose/agents/agent-screens.js';
import { advanceAgent, agentFacts, startAgent, toolsForMs } from '../../diagnose/agents/agent-state.js';
import { AgentStream } from '../../diagnose/agents/agent-stream.js';
import { mayAwaitModel } from '../../diagnose/agents/awaits-model.js';
import {
  advanceGone,
  awaitsProcesses,
  type GoneTools,
  goneMs,
  isLost,
  toolsShown,
  wantsMore,
} from '../../diagnose/agents/lost-result.js';
import { agentProfiles } from '../../diagnose/agents/profiles.js';
import { agentOfProgram, recogniseAgent } from '../../diagnose/agents/recognise.js';
import { type AgentSeen, dueAgoMs, refineDiagnosis } from '../../diagnose/agents/refine-diagnosis.js';
import { noEventsHint } from '../../diagnose/agents/words.js';
import type { ScreenView } from '../../diagnose/screen/screen-view.js';
import type { AgentFacts, AgentName, AgentScreenState, AgentTree } from '../../model/run/agent.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { ScreenReading } from '../../model/run/screen-claim.js';
import { commandLineOf, programName } from '../../probe/processes.js';

type AgentSettings = Pick<RunSettings, 'agent' | 'agentPatienceMs' | 'quietEnv' | 'thresholds'>;

/** In a large tree, the agent is one of the first processes. */
const processesMax = 50;
/** The start of an event, the same for all agents. */
const eventStart = '{"type":"';

/** For how long the stream of an agent has shown something, in milliseconds; null: it does not. */
export interface AgentTimes {
  /** It waits for tools; unseen: it prints no events. */
  toolsForMs: number | 'unseen' | null;
  /** Its first event has come. */
  spokeForMs: number | null;
  /** It has printed its result; null also if the command is not the agent itself. */
  resultForMs: number | null;
}

/** What an agent reports about itself while it runs. */
export class AgentMonitor {
  readonly #name: AgentName;
  readonly #settings: AgentSettings;
  readonly #stream: AgentStream;
  /** Its command line asks for events. The first event may take a while. */
  readonly #isAsked: boolean;
  #state = { ...startAgent, lastMs: performance.now() };
  /** The last tick showed a kernel state in which the agent may wait for its model. */
  #isModelAwaited = false;
  /** Its first event; null: none yet. */
  #spokeMs: number | null = null;
  #gone: GoneTools | null = null;
  /** It was found in the tree: the processes after its result may be those of a script. */
  #isInside = false;
  #screen: { shows: AgentScreenState; text: string; sinceMs: number } | null = null;

  constructor(name: AgentName, command: readonly string[], settings: AgentSettings) {
    this.#name = name;
    this.#settings = settings;
    this.#isAsked = agentProfiles[name].printsEvents.test(command.join(' '));
    this.#stream = new AgentStream(agentProfiles[name], (event) => {
      const nowMs = performance.now();
      this.#spokeMs ??= nowMs;
      this.#state = advanceAgent(this.#state, event, nowMs);
    });
  }

  /** null: the command is not a known agent, or the setting is off. */
  static of(command: readonly string[], settings: AgentSettings): AgentMonitor | null {
    const { agent } = settings;
    if (agent === 'none') return null;
    const name = agent === 'auto' ? recogniseAgent(command) : agent;
    return name === null ? null : new AgentMonitor(name, command, settings);
  }

  static isEvent(line: string): boolean {
    return line.startsWith(eventStart);
  }

  /**
   * An agent that the command started. The caller searches for it only where the output resembles events or paints a
   * screen. Its earlier output is not known.
   */
  static inTree(pids: () => readonly number[], settings: AgentSettings): AgentMonitor | null {
    if (settings.agent !== 'auto') return null;
    for (const pid of pids().slice(0, processesMax)) {
      const command = wordsOf(pid);
      const name = agentOfProgram(programName(pid) ?? '') ?? recogniseAgent(command);
      if (name === null) continue;
      const agent = new AgentMonitor(name, command, settings);
      agent.#isInside = true;
      return agent;
    }
    return null;
  }

  /** Events have come, so the output is meant for programs. */
  get speaks(): boolean {
    return this.#state.events > 0;
  }

  /** How to make the agent print events; null: it prints them, or its command line asks for them. */
  get hint(): string | null {
    return this.#isKnown ? null : noEventsHint(agentProfiles[this.#name]);
  }

  /** Variables that keep the agent from asking questions and from updating itself. Values set by the user stay. */
  quietEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return this.#settings.quietEnv ? { ...agentProfiles[this.#name].quietEnv, ...env } : env;
  }

  /** Whether this counts as output. Heartbeats do not. */
  push(chunk: Uint8Array): boolean {
    return this.#stream.push(chunk);
  }

  /** Bytes of the output were skipped. */
  skip(): void {
    this.#stream.skip();
  }

  facts(): AgentFacts {
    const nowMs = performance.now();
    const facts = agentFacts(this.#name, this.#state, nowMs, this.#isModelAwaited);
    if (this.#screen === null) return facts;
    const { shows, text, sinceMs } = this.#screen;
    return { ...facts, screen: { shows, text, forMs: Math.round(nowMs - sinceMs) } };
  }

  /** What its screen shows; null: nothing known. */
  readScreen(view: ScreenView, nowMs: number): ScreenReading | null {
    const table = agentScreens[this.#name];
    const read = table === null || this.speaks ? null : readAgentScreen(table, view);
    const isSame = read !== null && read.shows === this.#screen?.shows && read.text === this.#screen.text;
    if (!isSame) this.#screen = read === null ? null : { ...read, sinceMs: nowMs };
    if (this.#screen === null) return null;
    const { shows, text, sinceMs } = this.#screen;
    return { shows, name: this.#name, text, forMs: nowMs - sinceMs };
  }

  /** A report about the agent is due and needs a newer snapshot. `snapshotMs`: time of the last snapshot, null: none. */
  wantsSnapshot(snapshotMs: number | null): boolean {
    if (!this.speaks) return false;
    const { agentPatienceMs } = this.#settings;
    const nowMs = performance.now();
    const dueMs = dueAgoMs(this.facts(), agentPatienceMs);
    if (dueMs !== null && (snapshotMs ?? 0) < nowMs - dueMs) return true;
    if (this.#gone === null || !wantsMore(this.#gone)) return false;
    return (snapshotMs ?? 0) <= nowMs - Math.min(goneMs, agentPatienceMs);
  }

  /** For how long its stream has shown what the tree is to be read for. */
  get times(): AgentTimes {
    const nowMs = performance.now();
    const { result } = this.#state;
    return {
      toolsForMs: this.#isKnown ? toolsForMs(this.#name, this.#state, nowMs) : 'unseen',
      spokeForMs: this.#spokeMs === null ? null : nowMs - this.#spokeMs,
      resultForMs: result === null || this.#isInside ? null : nowMs - result.atMs,
    };
  }

  get #isKnown(): boolean {
    return this.speaks || this.#isAsked;
  }

  /** `tree`: from the last snapshot; null: no snapshot since the agent printed. */
  refine(diagnosis: Diagnosis, canAnswer: boolean, tree: AgentTree | null): Diagnosis {
    const { agentPatienceMs, thresholds } = this.#settings;
    const tools = this.times.toolsForMs === null ? 0 : (tree?.tools ?? null);
    this.#isModelAwaited = this.#isKnown && mayAwaitModel(diagnosis, tools);
    const patience = {
      patienceMs: agentPatienceMs,
      modelPatienceMs: thresholds.networkPatienceMs,
      canAnswer,
    };
    return refineDiagnosis(diagnosis, this.facts(), patience, this.#seen(diagnosis, tree));
  }

  /** What the snapshots show beside the stream. */
  #seen({ verdict }: Diagnosis, tree: AgentTree | null): AgentSeen | undefined {
    const nowMs = performance.now();
    if (tree === null) {
      this.#gone = null;
      return undefined;
    }
    const shown = awaitsProcesses(this.#name, this.#state)
      ? toolsShown(verdict?.kind ?? null, tree)
      : 'there';
    this.#gone = advanceGone(this.#gone, { tree, shown, events: this.#state.events, nowMs });
    return { ...tree, isLost: isLost(this.#gone, nowMs, this.#settings.agentPatienceMs) };
  }
}

function wordsOf(pid: number): string[] {
  return commandLineOf(pid)?.split(' ') ?? [];
}
