import type { WakeUp } from '../../run/background.js';
import type { RunInput } from './select.js';

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
  /** Instead of `offset`: the line that has this byte of the output. */
  atByte?: number | undefined;
  /** Most lines; 200 if not given. */
  limit?: number | undefined;
  /** Remove control sequences and collapse overwritten lines. */
  plain?: boolean | undefined;
  /** Only lines with this text, or /regular expression/ with flags. */
  search?: string | undefined;
  /** Only lines that look like failures, and those that `search` finds. */
  errors?: boolean | undefined;
  /** Only lines printed after this time (milliseconds since 1970), and some seconds before it. */
  sinceMs?: number | undefined;
  /** Return when each line was printed. */
  times?: boolean | undefined;
}

/** Which bytes of the output. */
export interface ReadInput extends RunInput {
  /** The first byte of output is 0; 0 if not given. */
  offset?: number | undefined;
  /** Most bytes; 256 KiB if not given, at most 4 MiB. */
  bytes?: number | undefined;
  /** Seconds to wait for a byte when there is none; 0 if not given, at most 60. */
  timeoutS?: number | undefined;
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
