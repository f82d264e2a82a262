import type { RunStatus } from '../../run/background.js';

/** Which runs. */
export interface RunFilter {
  /** Only runs of this task. */
  task?: string | undefined;
  /** Only runs of this owner. */
  owner?: string | undefined;
  /** Only runs with this tag. */
  tag?: string | undefined;
}

/** Which runs to list. */
export interface ListInput extends RunFilter {
  /** Only runs with this status. */
  status?: RunStatus | undefined;
}

/** Which runs: those that match all that is given, at least one. */
export interface IsActiveInput extends RunFilter {}

/** Which changes of runs. */
export interface ChangesInput {
  /** From the last answer; all runs are given without it. */
  since?: string | undefined;
  /** Seconds to wait for a change; 0 if not given, at most 60. */
  timeoutS?: number | undefined;
}

/** Which samples. */
export interface SamplesInput {
  /** Whole ids; runs that no longer exist are left out. */
  ids: string[];
  /** Only points after this time, in milliseconds of the wall clock. */
  afterMs?: number | undefined;
  /** At most this many of the newest points. */
  last?: number | undefined;
}

/** Which run. */
export interface RunInput {
  /** The whole id, its first four characters or more (`run_` may be left out), or the label. */
  id: string;
  /** Refuse unless the run belongs to this owner or has none. */
  owner?: string | undefined;
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
