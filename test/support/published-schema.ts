import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

const place = new URL('../../docs/schemas/', import.meta.url);
const otherNames: Record<string, string> = {
  ls: 'list',
  ps: 'list',
  logs: 'log',
  stop: 'kill',
  rm: 'remove',
};

/** Throws when a document that a command has printed is not as its schema in docs/schemas says; without one: nothing. */
export function checkPublished([verb = '', ...args]: readonly string[], document: object): void {
  const isMany = 'runs' in document || 'results' in document || args.includes('--all');
  const name = otherNames[verb] ?? verb;
  if ('error' in document || (isMany && name !== 'list')) return;
  const file = new URL(`${name}.json`, place);
  if (existsSync(file)) schemaIn(file).parse(document);
}

const read = new Map<string, z.ZodType>();

function schemaIn(file: URL): z.ZodType {
  const known = read.get(file.href) ?? z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8')));
  read.set(file.href, known);
  return known;
}
