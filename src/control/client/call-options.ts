import type { Agent } from 'node:http';

export interface CallOptions {
  /** Stops waiting for the answer; the run goes on. */
  signal?: AbortSignal | undefined;
  /** State home; default: the one that `env` selects. */
  home?: string | undefined;
  /** Environment for a new daemon. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Keeps its connection for the next call; default: a connection for each call. */
  agent?: Agent | undefined;
  /** Repeat of an earlier request: its work is not done twice. */
  requestId?: string | undefined;
}
