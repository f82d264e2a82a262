/** A command that a client of another place runs there. */
export interface RemoteCommand {
  /** As it is typed: `ssh:build`, `docker:web`. */
  place: string;
  /** The command there, its words joined; '': a shell, or not known. */
  command: string;
}

/** Options with a value in the next word. */
const valued: Record<string, RegExp> = {
  ssh: /^-[BbcDEeFIiJLlmOopPQRSWw]$/,
  docker:
    /^(-e|--env|-u|--user|-w|--workdir|--env-file|--detach-keys|-H|--host|-c|--context|--config|-l|--log-level)$/,
  podman:
    /^(-e|--env|-u|--user|-w|--workdir|--env-file|--detach-keys|--preserve-fds|--connection|-c|--url|--root|--log-level)$/,
  kubectl:
    /^(-n|--namespace|-c|--container|--context|--kubeconfig|--cluster|-s|--server|--user|-f|--filename|--request-timeout)$/,
};

/** Words that are not an option, and the values of options. */
function sort(
  words: readonly string[],
  pattern: RegExp,
  stopsAtFirst: boolean,
): { plain: string[]; values: Map<string, string> } {
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { plain: words.slice(at + 1), values };
    if (!word.startsWith('-')) {
      if (stopsAtFirst) return { plain: words.slice(at), values };
      continue;
    }
    const [name = '', value] = word.split('=', 2);
    if (value !== undefined) values.set(name, value);
    else if (pattern.test(word)) {
      at += 1;
      values.set(word, words[at] ?? '');
    }
  }
  return { plain: [], values };
}

function ssh(words: readonly string[]): RemoteCommand | null {
  const { plain, values } = sort(words, valued.ssh ?? /^$/, true);
  const [host, ...command] = plain;
  if (host === undefined || values.has('-W') || words.includes('-N') || words.includes('-f')) return null;
  const user = values.get('-l');
  return {
    place: `ssh:${user === undefined || host.includes('@') ? '' : `${user}@`}${host}`,
    command: command.join(' '),
  };
}

function engine(kind: 'docker' | 'podman', words: readonly string[]): RemoteCommand | null {
  const pattern = valued[kind] ?? /^$/;
  const [verb, ...rest] = sort(words, pattern, true).plain;
  const isLong = verb === 'container';
  const own = isLong ? rest.slice(1) : rest;
  if (!/^(exec|attach)$/.test((isLong ? rest[0] : verb) ?? '')) return null;
  const [name, ...command] = sort(own, pattern, true).plain;
  return name === undefined ? null : { place: `${kind}:${name}`, command: command.join(' ') };
}

function kubectl(words: readonly string[]): RemoteCommand | null {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const pattern = valued.kubectl ?? /^$/;
  const [verb, ...rest] = sort(own, pattern, true).plain;
  const [pod] = sort(rest, pattern, true).plain;
  if ((verb !== 'exec' && verb !== 'attach') || pod === undefined) return null;
  const values = new Map([...sort(own, pattern, false).values]);
  const value = (...names: string[]) =>
    names.map((name) => values.get(name)).find((one) => one !== undefined);
  const [space, container] = [value('-n', '--namespace'), value('-c', '--container')];
  const parts = space === undefined ? [pod] : [space, pod, ...(container === undefined ? [] : [container])];
  return { place: `kubectl:${parts.join('/')}`, command: end < 0 ? '' : words.slice(end + 1).join(' ') };
}

/**
 * The place and the command of a client such as `docker exec web make`; null: it is not such a client. `command`: its
 * command line, words joined by spaces.
 */
export function remoteCommandOf(command: string): RemoteCommand | null {
  const [program = '', ...words] = command.split(' ').filter((word) => word !== '');
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name === 'ssh') return ssh(words);
  if (name === 'docker' || name === 'podman') return engine(name, words);
  return name === 'kubectl' ? kubectl(words) : null;
}
