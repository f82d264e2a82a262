import type { OperationOutput } from '../../../src/control/operations/table.js';

export type ListedRun = OperationOutput<'list'>['runs'][number];

/** A healthy run of a minute, but for what is said. */
export function sampleRun(changes: Partial<ListedRun> = {}): ListedRun {
  return {
    id: 'run_7c1e90b2d4f8',
    label: 'api',
    command: 'npm run dev',
    status: 'running',
    pid: 40268,
    startedAt: '2026-01-02T03:04:05.000Z',
    uptimeS: 61,
    health: 'healthy',
    needsInput: false,
    why: 'it prints',
    task: null,
    owner: null,
    tags: [],
    cwd: '/srv/app',
    cpuPercent: 12.4,
    residentBytes: 84_000_000,
    outputBytes: 1000,
    lastLine: 'GET /health 200 3 ms',
    progress: null,
    input: 'none',
    ...changes,
  };
}

export const stuckRun = sampleRun({
  id: 'run_b20f11ca9e03',
  label: 'release',
  health: 'confirmed-stuck',
  why: 'git waits for a person to type; the same in 3 samples in a row',
  startedAt: '2026-01-02T03:00:00.000Z',
  uptimeS: 372,
  cpuPercent: 0,
  residentBytes: 31_000_000,
  lastLine: 'Username for https://example.org:',
});

export const failedRun = sampleRun({
  id: 'run_04d9a7715bc2',
  label: 'test',
  status: 'exited',
  health: null,
  exit: { code: 1, signal: null, provenance: 'recorded' },
  why: 'ended with exit code 1',
  uptimeS: 160,
  lastLine: '2 failed, 140 passed',
});
