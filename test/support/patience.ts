/** How long a test waits for a condition. Only a test that fails waits so long, so it is ample for a busy machine. */
export const patienceMs = 120_000;
