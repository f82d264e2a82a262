import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  parseCpuTime,
  parsePs,
  parsePsNames,
  parseState,
  psArguments,
} from '../../../src/probe/portable/ps.js';

const linux = `      1       0       1       1      -1 ?            0  13464 00:00:03 Sat Nov 15 08:15:00 2025 Ss   ep_poll                          /sbin/init splash
   4371    4300    4371    4300    4371 pts/3     1000   4032 1-02:03:04 Sun Nov 16 23:53:29 2025 S+   do_wait                          npm test
  26899       1   26899   26899      -1 ?            0      0 00:00:00 Sun Nov 16 23:53:56 2025 Zsl  -                                [zombie-leader] <defunct>
  26900       1   26899   26899      -1 ?            0      0 00:00:00 Sun Nov 16 23:53:56 2025 Z    -                                [true] <defunct>
  26910       2       0       0      -1 ?            0      0 00:00:00 Sun Nov 16 23:53:56 2025 I<   rescuer_thread                   [kworker/R-rcu_g]
  26911    4371    4371    4300    4371 pts/3     1000    900 00:00:00 Sun Nov 16 23:53:56 2025 Tl   do_signal_stop                   sleep 100
`;

const macos = `    1     0     1      0     0 ??           0  17072   0:57.63 Mon Nov  3 08:15:00 2025     Ss   -      /sbin/launchd
  977     1   977      0     0 ??         501 101234  12:34.56 Mon Nov  3 08:16:01 2025     S    -      /Applications/Some App.app/Contents/MacOS/Some App --flag
 1203  1200  1203 ffffff80  1203 ttys001    501   1872   0:00.02 Mon Nov  3 09:00:00 2025     S+   -      vi notes.txt
 1300  1203  1203      0  1203 ttys001    501      0   0:00.00 Mon Nov  3 09:00:01 2025     Z+   -      (sh)
 1301  1203  1203      0  1203 ttys001    501    800   0:00.00 Mon Nov  3 09:00:01 2025     TX+  -      ./debugged
 1302  1203  1203      0  1203 ttys001    501    800   0:00.10 Mon Nov  3 09:00:01 2025     U+   -      cp big /Volumes/dead
 1303  1203  1203      0  1203 ttys001    501    800   0:00.10 Mon Nov  3 09:00:01 2025     I+   -      tail -f log
`;

describe('ps of Linux', () => {
  const rows = parsePs(linux, 'linux');

  test('all that is printed', () => {
    expect(rows.get(4371)).toEqual({
      pid: 4371,
      parent: 4300,
      group: 4371,
      session: 4300,
      foregroundGroup: 4371,
      terminal: 'pts/3',
      uid: 1000,
      memoryKb: 4032,
      cpuMs: ((26 * 60 + 3) * 60 + 4) * 1000,
      cpuStepMs: 1000,
      startedAtS: Date.UTC(2025, 10, 16, 23, 53, 29) / 1000,
      state: 'S',
      threaded: false,
      wchan: 'do_wait',
      command: 'npm test',
    });
  });

  test('an ended leader is distinguished from a zombie by its threads', () => {
    expect(rows.get(26899)).toMatchObject({ state: 'Z', threaded: true, wchan: null });
    expect(rows.get(26900)).toMatchObject({ state: 'Z', threaded: false });
  });

  test('states keep their Linux meaning', () => {
    expect(rows.get(26910)?.state).toBe('I');
    expect(rows.get(26911)?.state).toBe('T');
    expect(rows.get(1)?.terminal).toBeNull();
  });
});

describe('ps of macOS', () => {
  const rows = parsePs(macos, 'darwin');

  test('spaces in a command, hundredths of seconds', () => {
    expect(rows.get(977)).toMatchObject({
      command: '/Applications/Some App.app/Contents/MacOS/Some App --flag',
      cpuMs: 754_560,
      cpuStepMs: 10,
      startedAtS: Date.UTC(2025, 10, 3, 8, 16, 1) / 1000,
      terminal: null,
    });
  });

  test('what stands under sess is no session there', () => {
    expect(rows.get(1203)).toMatchObject({ session: 0, terminal: 'ttys001', foregroundGroup: 1203 });
  });

  test('states are translated', () => {
    const states = [1300, 1301, 1302, 1303].map((pid) => rows.get(pid)?.state);
    expect(states).toEqual(['Z', 't', 'D', 'S']);
  });
});

describe('pieces', () => {
  test.each([
    ['00:00:03', 3000, 1000],
    ['1-02:03:04', 93_784_000, 1000],
    ['0:57.63', 57_630, 10],
    ['123:45.6', 7_425_600, 100],
    ['12:34', 754_000, 1000],
  ])('CPU time %s', (text, ms, stepMs) => {
    expect(parseCpuTime(text)).toEqual({ ms, stepMs });
  });

  test.each(['', '-', '12', 'x:y', '1:2:3:4', '-1:00'])('%j is no CPU time', (text) => {
    expect(parseCpuTime(text)).toBeNull();
  });

  test('an unknown letter is no state', () => {
    expect([parseState('', 'linux'), parseState('Q', 'linux'), parseState('W', 'freebsd')]).toEqual([
      '?',
      '?',
      '?',
    ]);
  });

  test('a single column for each -o: elsewhere a comma after = is part of a heading', () => {
    for (const platform of ['linux', 'darwin', 'freebsd'] as const) {
      const args = psArguments(platform);
      expect(args.filter((arg) => arg.includes(','))).toEqual([]);
      expect(args.at(-1)).toBe('command=');
    }
  });

  test('names; a later line cannot take the number of an earlier one', () => {
    expect([...parsePsNames('    1 launchd\n  977 Some App\n  977 fake\nx\n')]).toEqual([
      [1, 'launchd'],
      [977, 'Some App'],
    ]);
    expect(parsePs(linux + linux.replaceAll('npm test', 'fake'), 'linux').get(4371)?.command).toBe(
      'npm test',
    );
  });

  property.prop([fc.string(), fc.constantFrom('linux', 'darwin')])(
    'garbage has no rows',
    (text, platform) => {
      expect(parsePs(text, platform as NodeJS.Platform).size).toBe(0);
      expect(() => parsePsNames(text)).not.toThrow();
    },
  );
});
