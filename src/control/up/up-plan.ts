import { nearest } from '../../config/nearest.js';
import { Failure } from '../../model/failure.js';
import type { RestartPolicyInput } from '../../model/operations/inputs.js';

/** When a service counts as ready. `started`: at once; `exit`: when it has ended with success. */
export type Ready =
  | { kind: 'started' }
  | { kind: 'port'; port: number }
  | { kind: 'match'; match: string }
  | { kind: 'exit' };

/** One command of a file. */
export interface Service {
  name: string;
  /** A line for the login shell, or a program with its arguments. */
  command: string | string[];
  cwd: string | null;
  env: Record<string, string>;
  /** Services that must be ready first. */
  after: string[];
  ready: Ready;
  readyMs: number;
  restart: RestartPolicyInput | null;
}

/** The commands of a file, in an order in which they can be started. */
export interface UpPlan {
  services: Service[];
  /** How many may be on their way to readiness at a time. */
  parallel: number;
}

export const readyMsDefault = 60_000;
export const parallelDefault = 8;
const servicesMax = 100;

/** Throws a Failure for a plan that cannot be carried out. */
export function checkPlan({ services, parallel }: UpPlan, file: string): UpPlan {
  if (services.length === 0) throw bad(file, 'it has no commands', 'add one');
  if (services.length > servicesMax) throw bad(file, `it has more than ${servicesMax} commands`, 'split it');
  const names = services.map(({ name }) => name);
  for (const [index, { name, after }] of services.entries()) {
    if (!/^[\w.:@+-]{1,64}$/.test(name)) {
      throw bad(file, `${JSON.stringify(name)} is not a name`, 'use letters, digits and . : @ + - _');
    }
    if (names.indexOf(name) !== index)
      throw bad(file, `two commands are named ${name}`, 'rename one of them');
    const unknown = after.find((other) => !names.includes(other));
    if (unknown !== undefined)
      throw bad(file, `${name} comes after ${unknown}, which is not there`, near(unknown, names));
  }
  return { services: inOrder(services, file), parallel };
}

/** Each after those that it needs. */
function inOrder(services: readonly Service[], file: string): Service[] {
  const ordered: Service[] = [];
  const done = new Set<string>();
  while (ordered.length < services.length) {
    const next = services.filter(
      ({ name, after }) => !done.has(name) && after.every((other) => done.has(other)),
    );
    if (next.length === 0) {
      const left = services.filter(({ name }) => !done.has(name)).map(({ name }) => name);
      throw bad(
        file,
        `these wait for each other, so none can start: ${left.join(', ')}`,
        'remove one "after"',
      );
    }
    for (const service of next) done.add(service.name);
    ordered.push(...next);
  }
  return ordered;
}

export function near(word: string, names: readonly string[]): string {
  const found = nearest(word, names);
  return found === null ? `use one of ${names.join(', ')}` : `did you mean ${found}?`;
}

export function bad(file: string, what: string, hint: string): Failure {
  return new Failure('bad-config', `${file}: ${what}`, hint);
}
