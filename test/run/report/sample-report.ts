import type { Diagnosis } from '../../../src/model/run/health.js';
import type { FailedAttempt, RunReport } from '../../../src/model/run/run.js';
import type { Verdict, WhyAnswer } from '../../../src/model/verdict.js';

const needsInput: Verdict = {
  kind: 'needs-input',
  certainty: 'certain',
  pid: 4393,
  command: 'vi .git/COMMIT_EDITMSG',
  reason: 'vi waits for a person to type',
  evidence: [
    'vi(4393) blocked in pselect6 on fd 0 = /dev/pts/3',
    'the other three only wait for their child',
  ],
  next: ['answer it on /dev/pts/3', 'prevent it next time: GIT_EDITOR=true', 'stop it: kill 4393'],
};

export const why: WhyAnswer = {
  target: { pid: 4371, command: 'npm test', startTicks: 100, bootId: 'b' },
  verdict: needsInput,
  chain: [
    { pid: 4371, command: 'npm test', waitsFor: 'its child' },
    { pid: 4391, command: 'git commit --amend', waitsFor: 'its child' },
    { pid: 4393, command: 'vi .git/COMMIT_EDITMSG', waitsFor: 'a key on the terminal /dev/pts/3' },
  ],
  processes: [4371, 4391, 4393].map((pid) => ({
    pid,
    parent: 1,
    command: 'x',
    state: 'S',
    doing: '',
    threads: 1,
    inTree: true,
  })),
  findings: [],
  graph: { nodes: [], edges: [], omitted: 0 },
  absent: [],
  stillMs: 372_000,
  tookMs: 90,
  at: '2026-01-02T03:04:05.678Z',
};

export const stuckDiagnosis: Diagnosis = {
  health: 'confirmed-stuck',
  confidence: 'certain',
  severity: 'critical',
  reason: 'vi waits for a person to type',
  safeToKill: true,
  recommendation: 'stop it',
  needsAnswer: false,
  numbers: {
    silentMs: 372_000,
    cpuPercent: 0,
    ioBytes: 0,
    networkBytes: null,
    delayedMs: 0,
    stalledMs: 372_000,
    networkQuietMs: 0,
    samples: 74,
    processes: 3,
    threads: 3,
    states: { S: 3 },
    connections: null,
    openFiles: 12,
    residentBytes: 50_000_000,
    stdin: '/dev/null',
  },
  verdict: needsInput,
  findings: [],
  evidence: needsInput.evidence,
};

const healthy: Diagnosis = {
  ...stuckDiagnosis,
  health: 'healthy',
  confidence: 'low',
  severity: 'info',
  reason: 'it prints',
  safeToKill: false,
  recommendation: '',
  verdict: null,
  evidence: [],
};

/** A run that passed; every test changes what it is about. */
export function reportWith(changes: Partial<RunReport> = {}): RunReport {
  return {
    version: 1,
    id: 'run_0123456789ab',
    label: 'npm test',
    command: 'npm test',
    cwd: '/home/ada/project',
    startedAt: '2026-01-02T03:04:05.678Z',
    endedAt: '2026-01-02T03:07:07.678Z',
    elapsedMs: 182_000,
    outcome: 'exited',
    exit: { code: 0, signal: null, provenance: 'recorded' },
    exitCode: 0,
    diagnosis: healthy,
    why: null,
    receipt: null,
    leftBehind: [],
    progress: null,
    phase: null,
    history: [{ atMs: 0, health: 'healthy', reason: 'started' }],
    usualMs: null,
    longestSilenceMs: 372_000,
    peak: { cpuPercent: 212.4, residentBytes: 1_234_000_000, processes: 12 },
    outputBytes: 4096,
    lastLines: ['142 passed', 'done'],
    files: [],
    warnings: [],
    ...changes,
  };
}

export const stuckReport = reportWith({
  outcome: 'stuck',
  exit: { code: 143, signal: 'SIGTERM', provenance: 'recorded' },
  exitCode: 121,
  diagnosis: stuckDiagnosis,
  why,
  history: [
    { atMs: 0, health: 'healthy', reason: 'started' },
    { atMs: 15_000, health: 'confirmed-stuck', reason: 'vi waits for a person to type' },
  ],
  receipt: {
    at: '2026-01-02T03:07:07.678Z',
    tookMs: 5100,
    rounds: 2,
    whole: true,
    processes: [
      {
        pid: 4371,
        startTicks: 100,
        command: 'npm test',
        because: ['leader'],
        signals: ['SIGTERM'],
        result: 'ended',
      },
      {
        pid: 4393,
        startTicks: 120,
        command: 'vi .git/COMMIT_EDITMSG',
        because: ['descendant'],
        signals: ['SIGTERM', 'SIGKILL'],
        result: 'survived',
      },
    ],
    survivors: [4393],
    ports: [{ port: 3000, free: false }],
  },
  files: ['/home/ada/.local/state/unstuck/runs/run_0123456789ab/evidence/snapshot.json'],
});

/** The first attempt of a run that was run again. */
export const failedAttempt: FailedAttempt = {
  id: 'run_a1',
  startedAt: '2026-01-02T03:04:00.000Z',
  elapsedMs: 2000,
  outcome: 'exited',
  exit: { code: 1, signal: null, provenance: 'recorded' },
  exitCode: 1,
  lastLines: ['1 failed'],
  files: [],
  status: 'exit code 1',
  reason: 'Ended by itself with exit code 1 after 2 s.',
  report: '/runs/a/report.json',
};
