/** Language runtimes that an executable itself tells. */
export type Runtime = 'go' | 'java' | 'node' | 'python';
