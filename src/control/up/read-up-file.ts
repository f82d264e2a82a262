import fs from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { Failure } from '../../model/failure.js';
import { fromCompose } from './compose-file.js';
import { type Fields, fieldsOf } from './fields.js';
import {
  bad,
  checkPlan,
  parallelDefault,
  type Ready,
  readyMsDefault,
  type Service,
  type UpPlan,
} from './up-plan.js';

/** Looked for in this order when no file is given. */
const upFileNames = [
  'unstuck-up.json',
  'unstuck-up.yaml',
  'unstuck-up.yml',
  'process-compose.yaml',
  'process-compose.yml',
  'Procfile',
] as const;

const bytesMax = 1024 * 1024;

/** The file to read: the given one, or the first that is there. */
export function findUpFile(given: string | undefined, cwd: string): string {
  if (given !== undefined) return path.resolve(cwd, given);
  const found = upFileNames.find((name) => fs.existsSync(path.join(cwd, name)));
  if (found !== undefined) return path.join(cwd, found);
  throw new Failure(
    'bad-config',
    'there is no file of commands here',
    `make one of ${upFileNames.join(', ')}`,
  );
}

/** Reads and checks a file of commands. Throws a Failure before anything is started. */
export function readUpFile(file: string): UpPlan {
  const shown = path.basename(file);
  const text = readSmall(file);
  if (/(^|\.)procfile(\.|$)/i.test(shown)) return checkPlan(readProcfile(text, shown), shown);
  const content = parseText(text, shown);
  const top = fieldsOf(content, shown, 'the file');
  const plan = top.has('processes') ? fromCompose(top) : fromOwn(top);
  return checkPlan(plan, shown);
}

function readSmall(file: string): string {
  try {
    if (fs.statSync(file).size > bytesMax) throw new Error('it is larger than 1 MB');
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    const hint = 'name a file of commands: unstuck up FILE';
    throw new Failure('bad-config', `cannot read ${file}: ${(cause as Error).message}`, hint, { cause });
  }
}

/** JSON is YAML too. A key that is there twice is an error. */
function parseText(text: string, file: string): unknown {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true, merge: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const message = (error.message.split('\n')[0] ?? '').replace(/:$/, '');
    const twice = message.replace(/^Map keys must be unique/, 'two entries have one name');
    throw bad(file, error.code === 'DUPLICATE_KEY' ? twice : message, 'correct that line');
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw bad(file, (cause as Error).message, 'use fewer aliases');
  }
}

/** `web: npm start`, one per line. */
function readProcfile(text: string, file: string): UpPlan {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const services = lines.map((line) => {
    const match = /^\s*([\w-]+)\s*:\s*(.+)$/.exec(line);
    if (match === null)
      throw bad(file, `not a line of a Procfile: ${line.slice(0, 60)}`, 'write NAME: COMMAND');
    return service(match[1] ?? '', match[2] ?? '');
  });
  return { services, parallel: parallelDefault };
}

function service(name: string, command: Service['command']): Service {
  const ready = { kind: 'started' } as const;
  return { name, command, cwd: null, env: {}, after: [], ready, readyMs: readyMsDefault, restart: null };
}

function fromOwn(top: Fields): UpPlan {
  const services = top
    .need('services')
    .entries()
    .map(([name, fields]) => {
      const made = {
        ...service(name, fields.command('command')),
        cwd: fields.text('cwd') ?? null,
        env: fields.variables('env'),
        after: fields.texts('after') ?? [],
        ready: readyOf(fields.optional('ready')),
        readyMs: fields.duration('readyTimeout') ?? readyMsDefault,
        restart: fields.restart(),
      };
      fields.end();
      return made;
    });
  const parallel = top.whole('parallel', 1, 100) ?? parallelDefault;
  top.end();
  return { services, parallel };
}

function readyOf(fields: Fields | null): Ready {
  if (fields === null) return { kind: 'started' };
  const [port, match, exit] = [
    fields.whole('port', 1, 65_535),
    fields.pattern('match'),
    fields.truth('exit'),
  ];
  fields.end();
  if (port !== undefined) return { kind: 'port', port };
  if (match !== undefined) return { kind: 'match', match };
  return { kind: exit ? 'exit' : 'started' };
}
