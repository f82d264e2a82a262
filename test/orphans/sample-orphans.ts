import type { Orphan } from '../../src/model/orphan.js';

/** A confirmed one of two hours, but for what is said. */
export function sampleOrphan(changes: Partial<Orphan> = {}): Orphan {
  return {
    pid: 4371,
    startTicks: 1000,
    command: 'node server.js',
    cwd: '/srv/app',
    ageMs: 2 * 3_600_000,
    residentBytes: 84_000_000,
    ports: [3000],
    classification: 'confirmed',
    evidence: ['run-id'],
    reason: 'its run has ended, and the id of that run is in its environment',
    run: {
      id: 'run_7c1e90b2d4f8',
      label: 'api',
      command: 'npm run dev',
      cwd: '/srv/app',
      owner: 'claude',
      startedAt: '2026-01-02T01:00:00.000Z',
    },
    ...changes,
  };
}
