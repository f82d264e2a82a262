import type { AgentName } from '../run/agent.js';
import type { PresetName } from '../run/health.js';

/** `500ms`, `5s`, `10m`, `2h` or `1d`; a bare number is seconds. */
export type Duration = string | number;

/** Bytes: `512`, `5k`, `10M` or `1G`. */
export type Size = string | number;

/** Options of `unstuck run` by their keys, as they are typed there. */
export interface CommandOptions {
  /** Stop it after this time; 0: never. */
  timeout?: Duration | undefined;
  /** Stop it after this time without output; 0: never. */
  idleTimeout?: Duration | undefined;
  /** Stop it when it is stuck with at least this confidence. */
  killOn?: 'never' | 'certain' | 'high' | 'medium' | undefined;
  /** Stop a part of it that is proven stuck while the rest goes on, or the whole tree then. */
  killStuck?: 'never' | 'part' | 'tree' | undefined;
  /** Stop it when its output stalls. */
  killOnStall?: boolean | undefined;
  /** Time between SIGTERM and SIGKILL, for the whole tree. */
  grace?: Duration | undefined;
  /** Run it again when it fails or is stopped, at most so many times. */
  retry?: number | undefined;
  /** What happens to processes that outlive the command. */
  leftovers?: 'keep' | 'kill' | undefined;
  /** How long to wait for output that a left-over process holds open. */
  linger?: Duration | undefined;
  /** How the code that a hang stands in is read. */
  stacks?: 'none' | 'quiet' | 'ask' | undefined;
  /** Values of the thresholds that are not given. */
  preset?: PresetName | undefined;
  /** Time between two samples of the tree. */
  sample?: Duration | undefined;
  /** Length of the window in which CPU, I/O and network count as activity. */
  activityWindow?: Duration | undefined;
  /** No output for this long: suspicious. */
  silence?: Duration | undefined;
  /** Silent and idle for this long: high confidence instead of medium. */
  escalate?: Duration | undefined;
  /** Silent and idle for this long: confirmed. */
  confirm?: Duration | undefined;
  /** Less CPU than this percentage is idle; 100 is one core. */
  cpu?: number | undefined;
  /** Fewer bytes read and written in the activity window are idle. */
  io?: Size | undefined;
  /** A connection without a byte for this long is likely dead. */
  networkPatience?: Duration | undefined;
  /** Consecutive samples required before a hang is reported. */
  proofSamples?: number | undefined;
  /** It prints at least this often: no output for longer is likely stuck, high. 0: not known. */
  expectOutputEvery?: Duration | undefined;
  /** It ends within this time: if not, it is likely stuck, high. 0: not known. */
  expectDoneIn?: Duration | undefined;
  /** Output is not judged as stalled before this time. */
  armAfter?: Duration | undefined;
  /** The same last line over so many heartbeats is a stall; 0: never. */
  sameLinePulses?: number | undefined;
  /** A regular expression for progress in the output, such as `(\d+) of (\d+)`. */
  progress?: string | undefined;
  /** `NAME=REGEX`: phases, named by the commands that run in them. */
  phase?: readonly string[] | undefined;
  /** Read the events of this agent from the output. */
  agent?: 'auto' | 'none' | AgentName | undefined;
  /** An agent that runs so long after its result, or sleeps so long without one, is reported. */
  agentPatience?: Duration | undefined;
  /** Remember how the run went, and judge it by earlier runs of the same command; default true. */
  history?: boolean | undefined;
  /** Runs with the same key are compared; default: made from command and project. */
  historyKey?: string | undefined;
  /** Time between two heartbeats; 0: none. */
  heartbeat?: Duration | undefined;
  /** How `unstuck run` shows health on stderr. */
  status?: 'auto' | 'live' | 'lines' | 'none' | undefined;
  /** Name of the run; made from the command if not given. */
  label?: string | undefined;
  /** `unstuck run` prints one JSON object per event. */
  json?: boolean | undefined;
  /** When the full output stays on disk. */
  keepLog?: 'failure' | 'always' | 'never' | undefined;
  /** Directory for logs and evidence. */
  logDir?: string | undefined;
  /** Most output of a background run on disk; 0: no limit. */
  logCap?: Size | undefined;
  /** Write the report as JSON to this file. */
  report?: string | undefined;
  /** Write the report as JUnit XML to this file. */
  junit?: string | undefined;
  /** Write the report as Markdown to this file. */
  markdown?: string | undefined;
  /** What the command reads. */
  stdin?: 'auto' | 'null' | 'inherit' | 'pipe' | undefined;
  /** Give it a terminal of its own. */
  pty?: boolean | undefined;
  /** Set variables that keep known tools from asking questions, such as CI=1. */
  quietEnv?: boolean | undefined;
  /** Read unstuck.json of the project. */
  projectFile?: boolean | undefined;
}
