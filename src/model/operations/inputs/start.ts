import type { NoticeEvent } from '../../notice-wishes.js';
import type { InputKind } from '../../run/background.js';
import type { LeaseEnd } from '../../run/lease.js';
import type { CommandOptions } from '../command-options.js';
import type { RunInput } from './select.js';

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
  /** The process that the run is tied to; this process if not given. */
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
  /** Another place to run in: `ssh:HOST`, `docker:NAME` …, or a name of the configuration. */
  on?: string | undefined;
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

/** Which run to start again. */
export interface RerunInput extends RunInput, CallerInput {}

/** Which run to stop and to start again. */
export interface RestartInput extends RerunInput {
  /** Seconds between SIGTERM and SIGKILL; as the run was started if not given. */
  graceS?: number | undefined;
}

/** From one owner to another; null: the runs have no owner then. */
export interface HandOverInput {
  from: string;
  to: string | null;
}
