import type { Thresholds } from '../model/run/health.js';
import type { Expected } from '../model/run/norms.js';
import type { NamedPattern } from './option.js';
import type { Values } from './options.js';

/** The settings of one run, checked and complete. Paths are absolute; null: not given. */
export interface RunSettings {
  /** null: made from the command. */
  label: string | null;
  preset: Values['preset'];
  /** The preset with the given values on top. */
  thresholds: Thresholds;
  /** 0: none. */
  heartbeatMs: number;
  /** 0: none. */
  timeoutMs: number;
  /** 0: none. */
  idleTimeoutMs: number;
  expected: Expected;
  graceMs: number;
  armAfterMs: number;
  /** 0: off. */
  sameLinePulses: number;
  progress: RegExp | null;
  phases: NamedPattern[];
  agent: Values['agent'];
  agentPatienceMs: number;
  keepLog: Values['keepLog'];
  logDir: string | null;
  /** 0: none. */
  logCapBytes: number;
  stacks: Values['stacks'];
  killOn: Values['killOn'];
  killStuck: Values['killStuck'];
  killOnStall: boolean;
  /** The run is added to the history of its command, and compared with it. */
  history: boolean;
  /** null: made from the command and the project. */
  historyKey: string | null;
  leftovers: Values['leftovers'];
  lingerMs: number;
  stdin: Values['stdin'];
  pty: boolean;
  quietEnv: boolean;
  /** How many times a command that failed is run again. */
  retry: number;
  report: string | null;
  junit: string | null;
  markdown: string | null;
  status: Values['status'];
  json: boolean;
}

/** The values with the names and units that the rest of Unstuck uses. */
export function toRunSettings(values: Values, thresholds: Thresholds): RunSettings {
  return {
    label: values.label,
    preset: values.preset,
    thresholds,
    heartbeatMs: values.heartbeat,
    timeoutMs: values.timeout,
    idleTimeoutMs: values.idleTimeout,
    expected: { outputEveryMs: values.expectOutputEvery, doneInMs: values.expectDoneIn },
    graceMs: values.grace,
    armAfterMs: values.armAfter,
    sameLinePulses: values.sameLinePulses,
    progress: values.progress,
    phases: values.phase,
    agent: values.agent,
    agentPatienceMs: values.agentPatience,
    keepLog: values.keepLog,
    logDir: values.logDir,
    logCapBytes: values.logCap,
    stacks: values.stacks,
    killOn: values.killOn,
    killStuck: values.killStuck,
    killOnStall: values.killOnStall,
    history: values.history,
    historyKey: values.historyKey,
    leftovers: values.leftovers,
    lingerMs: values.linger,
    stdin: values.stdin,
    pty: values.pty,
    quietEnv: values.quietEnv,
    retry: values.retry,
    report: values.report,
    junit: values.junit,
    markdown: values.markdown,
    status: values.status,
    json: values.json,
  };
}
