import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPlace } from '../../src/places/find-place.js';
import { parsePlace } from '../../src/places/parse-place.js';
import { Place } from '../../src/places/place.js';
import { patienceMs } from '../support/patience.js';
import { noSshd, type SshHost, startSshHost } from '../support/ssh-host.js';

describe('a place through any client that runs sh', () => {
  const here = (words: string) => new Place(parsePlace(`via:${words}`));

  test('runs a script with its input, output, errors and exit code', async () => {
    const { status, stdout, stderr } = await here('env').run('tr a-z A-Z; echo oops >&2; exit 7', {
      input: 'it works',
    });
    expect({ status, out: stdout.toString(), stderr }).toEqual({
      status: 7,
      out: 'IT WORKS',
      stderr: 'oops\n',
    });
  });

  test('drops what login scripts print before the script begins', async () => {
    const noisy = here(`sh -c 'echo welcome; echo unstuck-0; exec "$@"' noisy`);
    expect((await noisy.run('echo clean')).stdout.toString()).toBe('clean\n');
  });

  test('names a client that is missing, and one that refuses', async () => {
    await expect(here('no-such-client').run(':')).rejects.toThrow(
      /needs the program no-such-client, which is not installed/,
    );
    await expect(here(`sh -c 'echo no such container: x >&2; exit 1'`).run(':')).rejects.toThrow(
      /does not exist: no such container/,
    );
  });

  test('names a shell that ends before anything ran', async () => {
    const failure = here(`sh -c 'exit 0'`).run(':');
    await expect(failure).rejects.toThrow(/ended the connection before anything ran/);
    await expect(failure).rejects.toMatchObject({ hint: expect.stringContaining('.bashrc') });
  });

  test.concurrent('a script that stalls while it prints is given up, and one that goes on printing is not', async ({
    expect,
  }) => {
    // Far more than the second between two lines: the shell may have to wait for a CPU.
    const options = { timeoutMs: patienceMs, quietMs: 8000 };
    const stalls = here('env').run('echo x; sleep 60', options);
    const prints = here('env').run('for i in $(seq 10); do echo $i; sleep 1; done', options);
    await expect(stalls).rejects.toThrow(/did not answer within 8 s/);
    expect((await prints).stdout.toString()).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n');
  });

  test.concurrent('a script that does not end is given up', async ({ expect }) => {
    // Enough for a busy machine to begin it.
    const given = { timeoutMs: 8000 };
    await expect(here('env').run('sleep 60', given)).rejects.toThrow(/did not answer within 8 s/);
  });
});

describe.skipIf(noSshd !== null)('a host over ssh', () => {
  let host: SshHost;
  beforeAll(async () => {
    host = await startSshHost();
  });
  afterAll(() => host?.close());

  test('runs a script that no process list shows', async () => {
    const { stdout } = await new Place(findPlace(host.name, host.env), host.env).run(
      'cat /proc/$$/cmdline; cat',
      { input: '\0\xff' },
    );
    expect(stdout.includes('cmdline')).toBe(false);
    expect(stdout.subarray(-3).toString()).toBe('\0\xff');
  });
});
