/** Signals that a caller may send to a run. To kill, stop and continue it are operations of their own. */
export const sendableSignals = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGTERM',
  'SIGWINCH',
] as const;

export type SendableSignal = (typeof sendableSignals)[number];
