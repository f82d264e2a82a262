import { Failure } from '../model/failure.js';
import { type PlaceAddress, placeKinds } from '../model/place.js';
import { cutBeforeRedact, redact } from '../redact/redact.js';
import { splitWords } from './split-words.js';

const textMax = 4096;
const form = 'write ssh:HOST, docker:NAME, podman:NAME, kubectl:NAMESPACE/POD[/CONTAINER] or via:COMMAND';

/** Names of containers and pods. None can be taken for an option. */
const namePattern = /^[A-Za-z0-9][\w.-]*$/;
/** Anything that ssh may know: an alias, user@host, an address, ssh://user@host:port. */
const hostPattern = /^[^\s\p{Cc}'"\\-][^\s\p{Cc}'"\\]*$/u;

/** `ssh:HOST`, `docker:NAME` and so on. `named`: places of the configuration by name. Throws a Failure. */
export function parsePlace(text: string, named: ReadonlyMap<string, string> = new Map()): PlaceAddress {
  const found = named.get(text);
  if (found === undefined) return parseAddress(text, [...named.keys()]);
  return parseAddress(found, []);
}

function parseAddress(text: string, names: readonly string[]): PlaceAddress {
  const [, kind = '', rest = ''] = /^([a-z]+):([\s\S]*)$/.exec(text) ?? [];
  if (text.length > textMax || !placeKinds.some((known) => known === kind)) {
    const known = names.length === 0 ? '' : `; or a name of yours: ${names.join(', ')}`;
    throw new Failure('bad-input', `there is no place ${shown(text)}`, `${form}${known}`);
  }
  const address = addressOf(kind as PlaceAddress['kind'], rest);
  if (address === null) throw new Failure('bad-input', `${shown(text)} is not a place`, form);
  return address;
}

function addressOf(kind: PlaceAddress['kind'], rest: string): PlaceAddress | null {
  if (kind === 'ssh') return hostPattern.test(rest) ? { kind, host: rest } : null;
  if (kind === 'via') {
    const words = splitWords(rest);
    return words === null || words.length === 0 || rest.includes('\0') ? null : { kind, words };
  }
  if (kind !== 'kubectl') return namePattern.test(rest) ? { kind, container: rest } : null;
  const parts = rest.split('/');
  if (parts.length > 3 || !parts.every((part) => namePattern.test(part))) return null;
  const [first = '', pod, container = null] = parts;
  if (pod === undefined) return { kind, namespace: null, pod: first, container: null };
  return { kind, namespace: first, pod, container };
}

function shown(text: string): string {
  return JSON.stringify(redact(cutBeforeRedact(text, 80)));
}
