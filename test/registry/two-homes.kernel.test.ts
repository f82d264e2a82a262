import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { daemonSettings } from '../../src/config/daemon-settings.js';
import { Registry } from '../../src/registry/registry.js';
import { removeDirectory } from '../support/remove-directory.js';

const homes: { path: string; registry: Registry }[] = [];

async function openHome(): Promise<Registry> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-home-'));
  const registry = await Registry.open(home, daemonSettings({}));
  homes.push({ path: home, registry });
  return registry;
}

function start(registry: Registry, requestId: string) {
  const inherit = { PATH: process.env.PATH ?? '' };
  const request = { cwd: '/', env: {}, inherit, envDeny: [], tags: [], input: 'none' as const, options: {} };
  return registry.start({ ...request, command: ['sleep', '300'] }, requestId);
}

afterEach(async () => {
  for (const { path: home, registry } of homes.splice(0)) {
    for (const run of registry.select({ status: 'running' })) await run.acts.kill('end', 0);
    await registry.close();
    await removeDirectory(home);
  }
});

test('a run is not stopped by a kill in another state home that got the same request id', async () => {
  const [ours, theirs] = [await openHome(), await openHome()];
  const [run, other] = [await start(ours, 'task-1'), await start(theirs, 'task-1')];
  expect(other.id).not.toBe(run.id);
  const killed = await run.acts.kill('stop', 0);
  expect(killed?.receipt?.processes.map(({ pid }) => pid)).toEqual([run.pid]);
  // Made again, the request finds what it started.
  expect(await start(theirs, 'task-1')).toBe(other);
  expect(() => process.kill(other.pid ?? -1, 0)).not.toThrow();
});
