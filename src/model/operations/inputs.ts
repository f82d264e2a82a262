import type { NoticeEvent } from '../notice-wishes.js';
import type { InputKind, RunStatus, WakeUp } from '../run/background.js';
import type { LeaseEnd } from '../run/lease.js';
import type { SendableSignal } from '../run/sendable-signals.js';
import type { HookAgent, StuckPolicy } from '../tool.js';
import type { CommandOptions } from './command-options.js';

/** What a run reports without being asked. */
export interface NotifyInput {
  /** Events to report. */
  events?: NoticeEvent[] | undefined;
  /** Texts, or /regular expressions/ with flags, searched for line by line. */
  patterns?: string[] | undefined;
  /** Report its state every so many seconds; 0: never. */
  everyS?: number | undefined;
  /** A line for sh that gets each notice as JSON on its stdin. */
  command?: string | undefined;
  /** An address that gets each notice as JSON; `secretFile` is the absolute path of the key to sign it with. */
  webhook?: { url: string; secretFile?: string | undefined } | undefined;
}

/** Ties a run to another process. */
export interface LeaseInput {
  /** The process whose end matters; this process if not given. */
  pid?: number | undefined;
  /** Field 22 of /proc/PID/stat: proves that the pid was not reused meanwhile. */
  startTicks?: number | undefined;
  /** report: a warning and a notice (default); stop: the run is killed after the delay; keep: nothing. */
  whenGone?: LeaseEnd | undefined;
  /** Seconds before the run is killed; 30 if not given. */
  delayS?: number | undefined;
  /** Gives the run to another owner when the process is gone. */
  handOver?: HandOverInput | undefined;
}

/** When a run is started again. */
export interface RestartPolicyInput {
  on: 'on-failure' | 'always';
  /** Restarts in a row before it is given up; 10 if not given. */
  max?: number | undefined;
  /** Seconds before the first restart; 1 if not given. They double each time, up to a minute. */
  delayS?: number | undefined;
}

/** What a command gets from the program that asks for its start. */
export interface CallerInput {
  /** The environment the command inherits; that of this process if not given. Stored only for restarts. */
  inherit?: Record<string, string> | undefined;
  /** File mode mask; that of this process if not given. */
  umask?: number | undefined;
  /** How many files the command may open (soft limit); that of the caller if not given. */
  openFiles?: number | undefined;
}

/** A command to start in the background. */
export interface StartInput extends CallerInput {
  /** A line for the login shell, or a program with its arguments. */
  command: string | string[];
  /** Directory to run in; the current one if not given. */
  cwd?: string | undefined;
  /** Variables added to those the command inherits. */
  env?: Record<string, string> | undefined;
  /** Names of variables that do not reach the command; `*` stands for anything. */
  envDeny?: string[] | undefined;
  /** Name of the run; made from the command if not given. */
  label?: string | undefined;
  /** Groups runs that belong together. */
  task?: string | undefined;
  /** The owner, for filtering. */
  owner?: string | undefined;
  /** Any words, kept with the run. */
  tags?: string[] | undefined;
  /** What its stdin is; `none` if not given. */
  input?: InputKind | undefined;
  /** Options of `unstuck run` by their keys. */
  options?: CommandOptions | undefined;
  /** What it reports without being asked. */
  notify?: NotifyInput | undefined;
  /** Ties the run to another process. */
  lease?: LeaseInput | undefined;
  /** Starts it again when it ends. Its environment is then stored, readable by its owner only. */
  restart?: RestartPolicyInput | undefined;
  /** Seconds to wait for its end, a question or a hang before the answer comes; 0 if not given. */
  waitS?: number | undefined;
}

/** Which runs. */
export interface RunFilter {
  /** Only runs of this task. */
  task?: string | undefined;
  /** Only runs of this owner. */
  owner?: string | undefined;
}

/** Which runs to list. */
export interface ListInput extends RunFilter {
  /** Only runs with this status. */
  status?: RunStatus | undefined;
  /** Only runs with this tag. */
  tag?: string | undefined;
}

/** Which run. */
export interface RunInput {
  /** The whole id, its first four characters or more (`run_` may be left out), or the label. */
  id: string;
  /** Refuse unless the run belongs to this owner or has none. */
  owner?: string | undefined;
}

/** Which run, and how its output is read. */
export interface PollInput extends RunInput {
  /** Each reader has its own position in the output; `default` if not given. */
  reader?: string | undefined;
  /** Most characters of output; 1,000 if not given, 2,000 of a run that has ended. */
  limit?: number | undefined;
  /** Remove control sequences and collapse overwritten lines. */
  plain?: boolean | undefined;
}

/** Which lines of the output. */
export interface LogInput extends RunInput {
  /** First line, counted from 0; the last `limit` lines if not given. */
  offset?: number | undefined;
  /** Most lines; 200 if not given. */
  limit?: number | undefined;
  /** Remove control sequences and collapse overwritten lines. */
  plain?: boolean | undefined;
  /** Only lines with this text, or /regular expression/ with flags. */
  search?: string | undefined;
  /** Only lines that look like failures, and those that `search` finds. */
  errors?: boolean | undefined;
}

/** What to wait for; the first of them ends the wait. */
export interface WaitConditions {
  /** Seconds; 180 if not given, which is also the most. */
  timeoutS?: number | undefined;
  /** exit, needs-input and stuck if not given; `exit` always counts. */
  until?: WakeUp[] | undefined;
  /** For `match`: a text, or /a regular expression/ with flags. */
  match?: string | undefined;
  /** For `port`: this port; any if not given. */
  port?: number | undefined;
  /** For `quiet`: seconds without output; 10 if not given. */
  quietS?: number | undefined;
  /** Each reader has its own position in the output; `default` if not given. */
  reader?: string | undefined;
  /** Remove control sequences and collapse overwritten lines. */
  plain?: boolean | undefined;
}

/** Which run to wait for. */
export interface WaitInput extends RunInput, WaitConditions {}

/** Which runs to wait for. */
export interface WaitManyInput extends WaitConditions {
  /** Ids, their first four characters or more, or labels. */
  ids: string[];
  /** Refuse unless the runs belong to this owner or have none. */
  owner?: string | undefined;
  /** all: until the wait for each of them has ended, the default; any: for one of them. */
  mode?: 'all' | 'any' | undefined;
}

/** Which run to kill. */
export interface KillInput extends RunInput {
  /** Seconds between SIGTERM and SIGKILL; as the run was started if not given. */
  graceS?: number | undefined;
}

/** Which run to start again. */
export interface RerunInput extends RunInput, CallerInput {}

/** Which run to stop and to start again. */
export interface RestartInput extends RerunInput {
  /** Seconds between SIGTERM and SIGKILL; as the run was started if not given. */
  graceS?: number | undefined;
}

/** Which runs to kill. */
export interface KillAllInput extends RunFilter {
  /** Seconds between SIGTERM and SIGKILL; as each run was started if not given. */
  graceS?: number | undefined;
}

/** Which signal to send. */
export interface SignalInput extends RunInput {
  signal: SendableSignal;
}

/** Which ended run to forget. */
export interface RemoveInput extends RunInput {
  /** Stop it first when it has not ended. */
  force?: boolean | undefined;
}

/** Bytes for the stdin of a run. */
export interface WriteInput extends RunInput {
  /** What to write. */
  data: string;
  /** How `data` is written; `utf8` if not given. */
  encoding?: 'utf8' | 'base64' | undefined;
  /** Seconds to wait until the command reads it; 2 if not given. */
  timeoutS?: number | undefined;
}

/** A line for the stdin of a run. */
export interface SubmitInput extends RunInput {
  /** The line without its end; empty if not given. */
  data?: string | undefined;
  /** Seconds to wait until the command reads it; 2 if not given. */
  timeoutS?: number | undefined;
}

/** The new size of a terminal. */
export interface ResizeInput {
  /** The whole id, its first four characters or more (`run_` may be left out), or the label. */
  id: string;
  rows: number;
  columns: number;
}

/** From one owner to another; null: the runs have no owner then. */
export interface HandOverInput {
  from: string;
  to: string | null;
}

/** Which notices. */
export interface NoticesInput extends RunFilter {
  /** Each consumer has its own acknowledgements; `default` if not given. */
  consumer?: string | undefined;
  /** Acknowledge everything up to this number first. */
  ack?: number | undefined;
  /** Only notices after this number, acknowledged or not. */
  after?: number | undefined;
  /** Most notices; 100 if not given. */
  limit?: number | undefined;
  /** Seconds to wait for a notice when there is none; 0 if not given, at most 180. */
  timeoutS?: number | undefined;
}

/** The call of a tool, in the process of an agent. */
export interface ToolEndedInput {
  /** The agent. */
  pid: number;
  /** Field 22 of /proc/PID/stat of the agent. */
  startTicks: number;
  /** The agent's own id of the call. */
  call: string;
}

/** A tool that an agent is about to run. */
export interface ToolBeganInput extends ToolEndedInput {
  agent: HookAgent;
  /** Secrets are masked before it is kept. */
  command: string;
  /** No process of the tool started before this time since boot, in clock ticks. */
  startedTicks: number;
  /** report: nothing is stopped (default); stop: what is proven stuck is stopped. */
  onStuck?: StuckPolicy | undefined;
  /** A server in the foreground is reported after this time; 0: never. */
  serverAfterMs?: number | undefined;
  sampleMs?: number | undefined;
}
