/** When an ended run is started again. */
export const restartModes = ['on-failure', 'always'] as const;

export interface RestartPolicy {
  on: (typeof restartModes)[number];
  /** Restarts in a row that did not help; then it is given up. */
  max: number;
  /** The wait before the first restart. It doubles each time. */
  delayMs: number;
}

/** Part of run.json: which attempt of which chain of runs this is. */
export interface RestartRecord extends RestartPolicy {
  /** Id of the first run. */
  chain: string;
  /** From 1. */
  attempt: number;
  /** Ends in a row before this run, each soon after its start. */
  failures: number;
}
