import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { BackgroundHome } from '../../../support/background-home.js';

const cli = new URL('../../../../dist/cli.cjs', import.meta.url).pathname;

test.each(['run', 'start'])(
  '%s gives the command as many files as the shell allows, although Node allows itself more',
  async (command) => {
    const home = new BackgroundHome();
    try {
      // Not the last command of the shell, or the shell would become it.
      const script = `ulimit -S -n 123; "$1" "$2" ${command} -- sh -c 'ulimit -S -n; ulimit -H -n'; true`;
      const words = ['-c', script, 'sh', process.execPath, cli];
      const printed = execFileSync('sh', words, { env: home.env, encoding: 'utf8' });
      const id = printed.trim();
      const ended = () => home.call('wait', { id, timeoutS: 60, until: ['exit'] });
      const output = command === 'run' ? printed : (await ended()).output;
      const hard = execFileSync('sh', ['-c', 'ulimit -H -n'], { encoding: 'utf8' });
      expect(output).toBe(`123\n${hard}`);
    } finally {
      await home.end();
    }
  },
);
