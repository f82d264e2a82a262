/** What the user has declared about a command. 0: nothing. */
export interface Expected {
  outputEveryMs: number;
  doneInMs: number;
}

/** What is normal for a command. */
export interface Norms {
  expected: Expected;
}

export const noNorms: Norms = { expected: { outputEveryMs: 0, doneInMs: 0 } };
