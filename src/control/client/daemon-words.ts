/**
 * Between two ticks V8 takes a daemon for idle and collects everything two or three times over, to give back memory that
 * the next tick needs again: with a thousand runs a fifth of all it costs. The flag counts only from the start of Node.
 */
const nodeFlags = ['--no-memory-reducer'];

/** What starts a daemon. */
export function daemonWords(node: string, cli: string): string[] {
  return [node, ...nodeFlags, cli, 'daemon', 'run'];
}
