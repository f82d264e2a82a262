import { describe, expect, it } from 'vitest';
import { checkOrphanFlags, type KillFlags } from '../../../../src/cli/commands/kill/flags.js';
import { stopOrphans } from '../../../../src/cli/commands/orphans/kill.js';
import { nextLines, renderOrphans } from '../../../../src/cli/commands/orphans/render.js';
import { killedLines } from '../../../../src/cli/commands/orphans/render-kill.js';
import { readWhich } from '../../../../src/cli/commands/orphans/which.js';
import type { OrphanKill } from '../../../../src/model/orphan.js';
import { sampleOrphan } from '../../../orphans/sample-orphans.js';

const view = {
  columns: Number.POSITIVE_INFINITY,
  color: false,
  nowMs: Date.parse('2026-01-02T03:04:05.000Z'),
};
const suspect = sampleOrphan({
  pid: 5001,
  ageMs: 90_000,
  residentBytes: null,
  ports: [],
  command: 'vitest --watch',
  classification: 'suspected',
  reason: 'it looks like a test runner, and nobody started it any more',
  run: null,
});

describe('what unstuck orphans shows', () => {
  it('a table, where they came from, how many, and what to type next', () => {
    const sibling = sampleOrphan({ pid: 4380, ports: [3000, 9229], residentBytes: 1_000_000 });
    expect(renderOrphans([suspect, sampleOrphan(), sibling], view)).toEqual([
      ' PID         AGE  MEMORY  PORTS      CLASS      COMMAND         WHY',
      '4371         2 h   84 MB  3000       confirmed  node server.js  its run has ended, and the id of that run is in its environment',
      '4380         2 h  1.0 MB  3000,9229  confirmed  node server.js  its run has ended, and the id of that run is in its environment',
      '5001  1 min 30 s       -  -          suspected  vitest --watch  it looks like a test runner, and nobody started it any more',
      'from run 7c1e (api): npm run dev, in /srv/app, by claude, started 2 h 4 min ago [4371, 4380]',
      '3 orphans, 85 MB: 2 confirmed, 1 suspected',
    ]);
    expect(nextLines([suspect, sibling])).toEqual([
      'next: unstuck kill --orphans --dry-run  print what would be stopped',
      '      unstuck kill --orphans            stop confirmed orphans',
      '      unstuck kill --orphans --force    stop suspected orphans too',
    ]);
  });

  it('nothing found is a single line', () => {
    expect(renderOrphans([], view)).toEqual(['no orphans: no process outlived its run']);
    expect(nextLines([])).toEqual([]);
  });

  it('never wider than the terminal, and no control character reaches it', () => {
    const evil = sampleOrphan({ command: `x\x1b[2J\n${'y'.repeat(300)}`, reason: 'z\r'.repeat(200) });
    for (const columns of [80, 120]) {
      for (const line of renderOrphans([evil, suspect], { ...view, columns })) {
        expect(line.length).toBeLessThanOrEqual(columns);
        expect(line).toMatch(/^[^\x00-\x1f]*$/);
      }
    }
  });

  it('of 1,300 orphans of a run, its line has 8 pids and the number of the others', () => {
    const many = Array.from({ length: 1300 }, (_, index) => sampleOrphan({ pid: 1000 + index }));
    const lines = renderOrphans(many, view);
    expect(lines.at(-2)).toMatch(/\[1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007 and 1292 more\]$/);
  });
});

describe('what unstuck kill --orphans and --port print', () => {
  const done: OrphanKill = {
    results: [
      { ...sampleOrphan(), result: 'killed', because: null },
      { ...suspect, result: 'skipped', because: 'not proven to belong to a run' },
    ],
    killed: 1,
    skipped: 1,
    failed: 0,
    receipt: {
      at: '2026-01-02T03:04:05.000Z',
      tookMs: 5,
      rounds: 1,
      whole: true,
      processes: [],
      survivors: [],
      ports: [{ port: 3000, free: true }],
    },
    tip: '--force also stops those that are only suspected',
  };

  it('each of them, how many, and what helps', () => {
    expect(killedLines(done, false)).toEqual({
      lines: [
        'killed 4371 node server.js',
        'skipped 5001 vitest --watch: not proven to belong to a run',
        '1 killed, 1 skipped, 0 failed; freed ports: 3000',
      ],
      tip: 'tip: --force also stops those that are only suspected',
    });
  });

  it('--dry-run', () => {
    const results = [
      { ...sampleOrphan(), result: 'would-kill' as const, because: null },
      { ...suspect, result: 'skipped' as const, because: 'not proven to belong to a run' },
    ];
    const dry = { ...done, results, killed: 0, receipt: null, tip: null };
    expect(killedLines(dry, true).lines).toEqual([
      ' PID         AGE  CLASS      ACTION                               COMMAND',
      '4371         2 h  confirmed  kill                                 node server.js',
      '5001  1 min 30 s  suspected  skip: not proven to belong to a run  vitest --watch',
      '1 would be killed, 1 skipped, 0 failed',
    ]);
  });

  it.each<[string, string[], KillFlags, RegExp | null]>([
    ['orphans', [], { orphans: true, dryRun: true, force: true, olderThan: '1h', grace: '1s' }, null],
    ['a port', [], { port: '3000', dryRun: true, force: true }, null],
    ['ids', ['7c1e'], { grace: '1s' }, null],
    ['orphans and an id', ['7c1e'], { orphans: true }, /^--orphans and an id cannot be combined$/],
    ['orphans and a port', [], { orphans: true, port: '1' }, /^--orphans and --port cannot be combined$/],
    ['orphans and all', [], { orphans: true, all: true }, /^--orphans and --all cannot/],
    ['a port and a task', [], { port: '1', task: 'x' }, /^--port and --task cannot/],
    ['force without', ['7c1e'], { force: true }, /^--force needs --orphans or --port$/],
    ['dry run of all', [], { all: true, dryRun: true }, /^--dry-run needs/],
    ['an age of a port', [], { port: '1', olderThan: '1h' }, /^--older-than needs --orphans$/],
    ['a pattern without', [], { pattern: ['x'] }, /^--pattern needs --orphans$/],
  ])('flags together: %s', (_, ids, flags, message) => {
    const check = () => checkOrphanFlags(ids, flags);
    if (message === null) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ code: 'bad-input', message: expect.stringMatching(message) }),
      );
  });

  it.each(['http', '0', '65536', '-1', ''])('--port %j is refused', async (port) => {
    await expect(stopOrphans({ port, dryRun: true })).rejects.toMatchObject({
      code: 'bad-input',
      message: `--port is ${JSON.stringify(port)}, which is not a whole number from 1 to 65535`,
    });
  });

  it('the options that choose orphans are read, and wrong values are refused', () => {
    expect(readWhich({})).toEqual({});
    expect(readWhich({ olderThan: '1h', pattern: ['a'], dir: '/srv/../opt' })).toEqual({
      olderThanMs: 3_600_000,
      patterns: ['a'],
      projectDir: '/opt',
    });
    expect(() => readWhich({ pattern: [' '] })).toThrow('--pattern is empty');
    expect(() => readWhich({ olderThan: 'old' })).toThrow('--older-than is "old"');
  });
});
