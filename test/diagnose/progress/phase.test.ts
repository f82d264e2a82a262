import { describe, expect, test } from 'vitest';
import { phaseByRules, phaseOf } from '../../../src/diagnose/progress/phase.js';

describe('the phase of a run (B8)', () => {
  test.each([
    [['sh', 'cargo', 'rustc', 'rustc'], null, 'compile'],
    [['make', 'gcc', 'cc1'], null, 'compile'],
    [['make', 'g++', 'cc1plus', 'cc1plus', 'cc1plus', 'collect2', 'ld'], null, 'compile'],
    [['cargo', 'rustc', 'cc', 'collect2', 'ld'], null, 'link'],
    [['ninja', 'clang++', 'ld.lld'], null, 'link'],
    [['go', 'compile', 'compile', 'link'], null, 'compile'],
    [['go', 'demo.test'], null, 'test'],
    [['npm run test', 'sh', 'node (vitest 1)', 'esbuild'], null, 'test'],
    [['python3', 'pytest'], null, 'test'],
    [['npm install', 'node'], null, 'install'],
    [['npm ci'], null, 'install'],
    [['npm run build', 'sh', 'tsc'], null, 'compile'],
    [['npm run build', 'node'], null, null],
    [['apt-get', 'dpkg', 'tar', 'xz'], null, 'archive'],
    [['apt-get', 'dpkg', 'tar', 'xz'], 'install', 'install'],
    [['pip', 'cc1plus'], 'install', 'compile'],
    [['git', 'git-remote-http'], null, 'download'],
    [['curl'], null, 'download'],
    [['docker'], null, 'build'],
    [['docker'], 'test', 'test'],
    [['cargo', 'demo-8a3229346681'], 'test', 'test'],
    [['bash', 'sleep'], null, null],
    [[], 'download', 'download'],
    [[], null, null],
  ])('B8: %j, output says %s: %s', (programs, recognised, phase) => {
    expect(phaseOf(programs, recognised)).toBe(phase);
  });

  test.each([
    [[{ name: 'migrate', pattern: /alembic|migrat/ }], ['rustc'], 'running migration 12', 'migrate'],
    [[{ name: 'native', pattern: /^rustc$/g }], ['cargo', 'rustc'], '', 'native'],
    [
      [
        { name: 'first', pattern: /a/ },
        { name: 'second', pattern: /a/ },
      ],
      [],
      'a',
      'first',
    ],
    [[{ name: 'never', pattern: /xyz/ }], ['rustc'], 'abc', null],
  ])('B8: the first rule of the user that fits, each time: %j', (rules, programs, lastLine, phase) => {
    for (let time = 0; time < 2; time++) {
      expect(phaseByRules(rules, programs, lastLine, () => {})).toBe(phase);
    }
  });
});
