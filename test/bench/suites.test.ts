import { expect, test } from 'vitest';
import { runtestStatuses } from '../../bench/suites/busybox.js';
import { differences, type Played, reportsIn } from '../../bench/suites/compare.js';
import { sourceLines } from '../../bench/suites/debian-source.js';
import { junitStatuses } from '../../bench/suites/python.js';
import type { Diagnosis } from '../../src/model/run/health.js';
import type { RunEvent } from '../../src/model/run/run.js';

const played = (statuses: Record<string, string>, end = '0'): Played => ({
  statuses: new Map(Object.entries(statuses)),
  end,
  ms: 1,
  reports: { alarms: [], silences: [] },
});

test('a test with another status, a test that is absent and another end are differences', () => {
  const plain = [played({ a: 'ok', b: 'ok', c: 'skipped' })];
  expect(differences(plain, played({ a: 'ok', b: 'ok', c: 'skipped' }))).toEqual([]);
  expect(differences(plain, played({ a: 'failure', c: 'skipped', d: 'ok' }, '2'))).toEqual([
    { test: 'a', plain: 'ok', ours: 'failure' },
    { test: 'b', plain: 'ok', ours: 'absent' },
    { test: 'the end of the suite', plain: '0', ours: '2' },
    { test: 'd', plain: 'absent', ours: 'ok' },
  ]);
});

test('a status that a plain run had as well is no difference', () => {
  const plain = [played({ a: 'ok' }), played({ a: 'failure' }, '2')];
  expect(differences(plain, played({ a: 'failure' }, '2'))).toEqual([]);
  expect(differences(plain, played({ a: 'error' }, '2'))).toEqual([
    { test: 'a', plain: 'ok or failure', ours: 'error' },
  ]);
});

test('a suite that printed no status is never the same', () => {
  expect(differences([played({})], played({}))).toHaveLength(1);
});

test('every event about a hang is an alarm, a named silence is none, and a healthy run has neither', () => {
  const diagnosis = (health: Diagnosis['health']) => ({ health, reason: 'silent' }) as Diagnosis;
  const event = (more: object) => ({ at: '', ...more }) as RunEvent;
  const quiet = [
    event({ kind: 'output', stream: 'stdout', text: 'x' }),
    event({ kind: 'health', diagnosis: diagnosis('healthy') }),
    event({ kind: 'warning', message: 'm' }),
  ];
  expect(reportsIn(quiet)).toEqual({ alarms: [], silences: [] });
  const loud = [
    event({ kind: 'health', diagnosis: diagnosis('likely-stuck') }),
    event({ kind: 'needs-input', diagnosis: diagnosis('healthy') }),
    event({ kind: 'finding', finding: { kind: 'deadlock', reason: 'a cycle' } }),
    event({ kind: 'killed', reason: 'r' }),
  ];
  const silent = [
    event({ kind: 'health', diagnosis: diagnosis('suspicious') }),
    event({ kind: 'stalled', reason: 'r' }),
  ];
  const { alarms, silences } = reportsIn([...quiet, ...loud, ...silent]);
  expect([alarms.length, silences.length]).toEqual([loud.length, silent.length]);
});

test('results of Python are read from its XML', () => {
  const xml = `<testsuites><testsuite>
    <testcase name="t.A.one" status="run" result="completed" time="0.1" />
    <testcase name="t.A.two" status="run"><system-out>&lt;error</system-out></testcase>
    <testcase name="t.A.three"><skipped>why</skipped></testcase>
    <testcase name="t.A.four"><failure type="x">text</failure></testcase></testsuite></testsuites>`;
  expect([...junitStatuses(xml)]).toEqual([
    ['t.A.one', 'ok'],
    ['t.A.two', 'ok'],
    ['t.A.three', 'skipped'],
    ['t.A.four', 'failure'],
  ]);
});

test('results of busybox are read from its lines, and a name may come twice', () => {
  expect([...runtestStatuses('PASS: cat\nnoise PASS: x\nFAIL: tail: +N\nSKIPPED: cat\n')]).toEqual([
    ['cat', 'PASS'],
    ['tail: +N', 'FAIL'],
    ['cat (2)', 'SKIPPED'],
  ]);
});

test('the archives of a source are those of the installed package', () => {
  const policy = `bash:
  Installed: 5.2.15-2+b8
  Version table:
     5.2.15-2+b13 500
        500 http://mirror.example/debian bookworm/main amd64 Packages
 *** 5.2.15-2+b8 100
        500 http://mirror.example/debian bookworm/main amd64 Packages
        500 https://mirror.example/updates bookworm-updates/main amd64 Packages
        100 /var/lib/dpkg/status
`;
  expect(sourceLines(policy)).toEqual([
    'deb-src http://mirror.example/debian bookworm main',
    'deb-src https://mirror.example/updates bookworm-updates main',
  ]);
});
