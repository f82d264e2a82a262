import { expect, test } from 'vitest';
import { type KnownRun, orphansThere } from '../../src/orphans/there.js';

const about = { label: 'api', command: 'make', cwd: null, owner: null, startedAt: null };
const lines = (fate: string) => [
  `run run_00ab ${fate}`,
  'process 812 4711 run_00ab 64 12',
  'cwd 812 /srv/my project',
  'command 812 server --token=abcdefghijklmnop',
];
const judge = (fate: string, known: KnownRun = null) =>
  orphansThere(lines(fate), () => known).map(({ classification }) => classification);
const known = (isOver: boolean): KnownRun => ({ isOver, about: { id: 'run_00ab', ...about } });

test('the files of the run there prove its end', () => {
  expect(judge('over')).toEqual(['confirmed']);
  expect(judge('lives', known(true))).toEqual([]);
});

test('the report of the run here proves its end where its files are removed', () => {
  expect(judge('none', known(true))).toEqual(['confirmed']);
  expect(judge('other', known(true))).toEqual(['confirmed']);
  expect(judge('none', known(false))).toEqual([]);
});

test('a run of which nothing is left proves nothing, and one of another state home is not judged', () => {
  expect(judge('none')).toEqual(['suspected']);
  expect(judge('other')).toEqual([]);
  expect(judge('nonsense')).toEqual([]);
});

test('describes a process, with its secrets masked', () => {
  const [orphan] = orphansThere(lines('none'), () => known(true));
  expect(orphan).toMatchObject({ pid: 812, startTicks: 4711, cwd: '/srv/my project', ageMs: 12_000 });
  expect(orphan?.residentBytes).toBe(65_536);
  expect(orphan?.command).not.toContain('abcdefghijklmnop');
  expect(orphan?.reason).toBe('its run api (run_00ab) has ended: its environment names the run');
});

test('lines that no place sends are dropped', () => {
  const bad = ['process x 1 run_00ab 1 1', 'process 1 1 run_zz 1 1', 'process 1', '', 'command 1'];
  expect(orphansThere(['run run_00ab over', ...bad], () => null)).toEqual([]);
});
