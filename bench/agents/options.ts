import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultFolder } from './install.js';

export const usage = `npm run test:agents [-- options]
  --cli DIR      where the agents are installed, and reused the next time
  --only NAME    agents, scenes, stages (events, text, visible, hidden) and examples with this in their name;
                 given more than once, all must match; names with a comma between them are alternatives
  --jobs N       so many agents at once (3)
  --keep DIR     keep what each run printed
  --record       write the streams of the stream scenes to test/fixtures/agents/recorded
  --list         print what would be run
  --json         one object per run on stdout
  --help         this

Published agents against a scripted API on loopback, without any other network. Needs root (network namespaces), and for
the first time an npm registry. Exit code 1: an agent was judged wrong, or its events were.`;

export interface Options {
  cli: string;
  only: string[];
  jobs: number;
  keep: string | null;
  record: boolean;
  list: boolean;
  json: boolean;
  help: boolean;
}

export function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      cli: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '3' },
      keep: { type: 'string' },
      record: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { cli, only, jobs, keep, record, list, json, help } = values;
  const count = Number(jobs);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--jobs ${jobs}: it takes a number from 1`);
  return {
    cli: resolve(cli ?? defaultFolder()),
    only,
    jobs: count,
    keep: keep === undefined ? null : resolve(keep),
    record,
    list,
    json,
    help,
  };
}
