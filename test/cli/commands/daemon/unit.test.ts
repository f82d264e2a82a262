import { expect, it } from 'vitest';
import { daemonUnit } from '../../../../src/cli/commands/daemon/unit.js';

it('a unit ends only the daemon, and its paths may be odd', () => {
  const unit = daemonUnit('/opt/my node/node', '/a"b/100%/$x/cli.js');
  expect(unit).toMatch(
    '\nExecStart="/opt/my node/node" "--no-memory-reducer" "--max-semi-space-size=2" "--expose-gc" "/a\\"b/100%%/$$x/cli.js" "daemon" "run"\n',
  );
  expect(unit).toMatch('\nKillMode=process\n');
  expect(unit).toMatch('\nRestart=on-failure\n');
  expect(() => daemonUnit('/a\nb', '/c')).toThrow(expect.objectContaining({ code: 'unsupported' }));
});
