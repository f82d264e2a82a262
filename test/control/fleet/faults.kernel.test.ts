import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { playFaults } from '../../../bench/fleet/faults.js';
import { findTool } from '../../support/find-tool.js';
import { removeDirectory } from '../../support/remove-directory.js';

/** The short form of `npm run bench:fleet`, with the same model. */
describe.skipIf(findTool('nats-server') === null)('a fleet whose daemons and server are killed', () => {
  it('runs every job once, with its own output and end, and loses no event', {
    timeout: 600_000,
  }, async () => {
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-faults-'));
    const root = path.resolve(import.meta.dirname, '../../..');
    try {
      const run = await playFaults({ scratch, root, seconds: 12, servers: 1, seed: 3 });
      expect(run.faults).toBe(0);
      expect(run.accepted).toBeGreaterThan(0);
      expect(run.daemonKills).toBeGreaterThan(0);
    } finally {
      await removeDirectory(scratch);
    }
  });
});
