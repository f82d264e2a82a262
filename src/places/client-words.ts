import { Failure } from '../model/failure.js';
import { type PlaceAddress, quoteWord } from '../model/place.js';
import { splitWords } from './split-words.js';

/** Variables that name another client: a program, with options if needed. */
const clientVariables = {
  ssh: 'UNSTUCK_SSH',
  docker: 'UNSTUCK_DOCKER',
  podman: 'UNSTUCK_PODMAN',
  kubectl: 'UNSTUCK_KUBECTL',
} as const;

/**
 * The local command that runs a command in a place: the user's own client, with the user's configuration. `words`: the
 * command there. ssh gives its words to the login shell of the other side, so they are quoted for it; a daemon cannot
 * answer a question for a password, and must not become the master of the user's other connections.
 */
export function clientWords(
  address: PlaceAddress,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): [string, ...string[]] {
  if (address.kind === 'via') return [...address.words, ...words] as [string, ...string[]];
  const client = clientOf(address.kind, env);
  if (address.kind === 'ssh') {
    const options = ['-T', '-o', 'BatchMode=yes', '-o', 'ControlMaster=no', '--', address.host];
    return [...client, ...options, ['exec', ...words.map(quoteWord)].join(' ')];
  }
  if (address.kind !== 'kubectl') return [...client, 'exec', '-i', address.container, ...words];
  const { namespace, pod, container } = address;
  const where = [
    ...(namespace === null ? [] : ['-n', namespace]),
    pod,
    ...(container === null ? [] : ['-c', container]),
  ];
  return [...client, 'exec', '-i', ...where, '--', ...words];
}

/** The program of the user that reaches such places, with its options. */
export function clientOf(kind: keyof typeof clientVariables, env: NodeJS.ProcessEnv): [string, ...string[]] {
  const variable = clientVariables[kind];
  const given = env[variable];
  if (!given) return [kind];
  const [program, ...options] = splitWords(given) ?? [];
  if (program !== undefined) return [program, ...options];
  throw new Failure(
    'bad-config',
    `${variable} is ${JSON.stringify(given)}, which is not a command`,
    `unset ${variable}, or name a program`,
  );
}

/** What the clients read from the environment; a daemon gets it from the caller and stores it with the run. */
export const clientEnvironment = [
  ...Object.values(clientVariables),
  'UNSTUCK_PLACE_TIMEOUT',
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SSH_AUTH_SOCK',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'CONTAINER_HOST',
  'CONTAINERS_CONF',
  'CONTAINERS_STORAGE_CONF',
  'KUBECONFIG',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
] as const;

export function clientEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = clientEnvironment.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}
