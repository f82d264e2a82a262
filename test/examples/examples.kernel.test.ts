import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { patienceMs } from '../support/patience.js';

const directory = fileURLToPath(new URL('../../examples/', import.meta.url));

/** What each prints: first of an agent that finishes, then of one that hangs. */
const printed: Record<string, string[]> = {
  'child-process.mjs': ['finished by itself', 'hung, and was ended with SIGTERM'],
  'claude-agent-sdk.mjs': [
    ...['system', 'assistant', 'result', 'exited'],
    ...['system', 'assistant', 'the agent was ended by SIGTERM', 'WatchdogTimeoutError: needs-input'],
  ],
  'execa.mjs': ['finished after 3 lines', 'ended with SIGTERM after 2 lines'],
  'json-lines.mjs': [
    ...['system', 'assistant', 'result', 'exited'],
    ...['system', 'assistant', 'WatchdogTimeoutError'],
  ],
};

it('every example runs, and ends the agent that hangs', async () => {
  const names = readdirSync(directory).filter((name) => name.endsWith('.mjs'));
  expect(names).toEqual(Object.keys(printed));
  const runs = names.map(async (name) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], {
      cwd: directory,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
    return [name, stdout.trimEnd().split('\n'), stderr];
  });
  expect(await Promise.all(runs)).toEqual(names.map((name) => [name, printed[name], '']));
});

it('the examples with SDKs that are not installed here can be parsed', async () => {
  const names = readdirSync(`${directory}agents`);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const [program, flag] = name.endsWith('.sh') ? ['sh', '-n'] : [process.execPath, '--check'];
    const { stderr } = await promisify(execFile)(program, [flag, name], { cwd: `${directory}agents` });
    expect(stderr).toBe('');
  }
});
