/**
 * Between two ticks V8 takes a daemon for idle and collects garbage two or three times, to free memory that the next
 * tick needs again. With a thousand runs that is a fifth of the total cost. The flag works only from the start of Node.
 */
const nodeFlags = ['--no-memory-reducer'];

/** The argv that starts a daemon. */
export function daemonArgv(node: string, cli: string): string[] {
  return [node, ...nodeFlags, cli, 'daemon', 'run'];
}
