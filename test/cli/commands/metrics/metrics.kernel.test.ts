import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ownHome } from '../../../support/background-home.js';
import { readFirstLine } from '../../../support/read-first-line.js';
import { cliPath, runCli } from '../../../support/run-cli.js';

describe.concurrent('unstuck metrics', () => {
  it('without a daemon prints that there is none, and starts none', async () => {
    const home = ownHome();
    const { code, stdout } = await runCli(['metrics'], home.env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^unstuck_up 0$/m);
    expect(home.daemonPid).toBe(null);
  });

  it('--listen serves the numbers until Ctrl-C, and nothing else', async () => {
    const home = ownHome();
    const { id } = await home.start(['true']);
    await home.call('wait', { id });
    const serving = spawn(process.execPath, [cliPath, 'metrics', '--listen', '127.0.0.1:0', '--json'], {
      env: home.env,
    });
    const { url } = JSON.parse(await readFirstLine(serving));
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toContain('version=0.0.4');
    const text = await answer.text();
    expect(text).toMatch(/^unstuck_up 1$/m);
    expect(text).toMatch(/^unstuck_runs_ended_total\{outcome="exited"\} 1$/m);
    expect((await fetch(url.replace('metrics', 'v1/list'))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
    serving.kill('SIGINT');
    expect(await once(serving, 'close')).toEqual([0, null]);
  });

  it('refuses what is no address', async () => {
    const { code, stderr } = await runCli(['metrics', '--listen', 'localhost:99999']);
    expect(code).toBe(125);
    expect(stderr).toContain('is not an address');
  });
});
