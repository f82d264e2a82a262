import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../model/failure.js';
import type { Notice, NoticeKind } from '../model/notice.js';
import { Deliveries } from '../notices/deliveries.js';
import { readRoutes } from '../notices/routes/read-routes.js';
import type { Route } from '../notices/routes/route.js';
import { wishesOf } from '../notices/routes/routes.js';
import { routesFile } from '../notices/routes/routes-file.js';
import { shownUrl } from '../notices/webhook-url.js';
import { redact } from '../redact/redact.js';
import { RunDirectory } from '../store/run-directory.js';

/** A route as it may be shown: without secrets. */
export interface ShownRoute {
  name: string;
  match: Route['match'];
  kinds: readonly NoticeKind[];
  /** `slack https://hooks.slack.com/…` */
  to: string;
}

/** The routes of the user, and the file they are in. Throws a Failure for a file that cannot be used. */
export function routes(): { file: string; routes: ShownRoute[] } {
  const file = fileOrFail();
  const shown = readRoutes(file).map(({ name, match, kinds, target }) => ({
    name,
    match,
    kinds,
    to: shownTarget(target),
  }));
  return { file, routes: shown };
}

/** Delivers one notice over a route now. Throws a Failure when it does not arrive. */
export async function testRoute(name: string, tags: readonly string[] = []): Promise<void> {
  const all = readRoutes(fileOrFail());
  const route = all.find((one) => one.name === name);
  if (route === undefined) {
    const names = all.map((one) => one.name).join(', ') || 'there are none';
    throw new Failure('bad-input', `there is no route ${JSON.stringify(name)}`, `routes: ${names}`);
  }
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-route-'));
  const deliveries = new Deliveries();
  try {
    const directory = new RunDirectory(path.dirname(place), path.basename(place));
    deliveries.add({ directory, cwd: process.cwd(), wishes: wishesOf(route.target), notices: [] });
    const reason = await deliveries.tryOnce(directory.id, testNotice(tags));
    if (reason !== null) {
      throw new Failure(
        'cannot-write',
        `the route ${name} does not work: ${reason}`,
        'correct the file, then test it again',
      );
    }
  } finally {
    await deliveries.close(0);
    fs.rmSync(place, { recursive: true, force: true });
  }
}

function testNotice(tags: readonly string[]): Notice {
  return {
    seq: 1,
    at: new Date().toISOString(),
    key: 'test',
    kind: 'exit',
    runId: null,
    label: 'test of a route',
    task: null,
    owner: null,
    tags: [...tags],
    text: 'notices arrive here',
    output: '',
    suppressed: 0,
  };
}

function shownTarget(target: Route['target']): string {
  if (target.kind === 'command') return `command ${redact(target.line)}`;
  if (target.kind === 'telegram') return `telegram chat ${target.chat}`;
  return `${target.kind} ${shownUrl(new URL(target.url))}`;
}

function fileOrFail(): string {
  const file = routesFile();
  if (file !== null) return file;
  throw new Failure('cannot-read', 'there is no home directory with a configuration', 'set XDG_CONFIG_HOME');
}
