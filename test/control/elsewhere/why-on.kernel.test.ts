import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { whyOn } from '../../../src/control/elsewhere/why-on.js';
import { loadSnapshot } from '../../../src/control/snapshots.js';
import { why } from '../../../src/control/why.js';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { askUntil } from '../../support/ask-until.js';
import { patienceMs } from '../../support/patience.js';
import { type Container, noPodmanOutside, startContainer } from '../../support/podman-container.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { noSshd, type SshHost, startSshHost } from '../../support/ssh-host.js';

/** A pipeline that waits for its first part, which sleeps. */
function startPipeline(): { pid: number; stop(): void } {
  const child = spawn('sh', ['-c', 'sleep 1000 | cat'], { detached: true, stdio: 'ignore' });
  return { pid: child.pid ?? -1, stop: () => process.kill(-(child.pid ?? 0), 'SIGKILL') };
}

describe('a place that cannot be read', () => {
  test('an unknown process is named with its place', async () => {
    await expect(whyOn('via:env', 4_000_000)).rejects.toMatchObject({
      code: 'no-such-process',
      message: 'no process 4000000 on via:env',
    });
  });
});

describe.skipIf(noSshd !== null)('a host over ssh', () => {
  let host: SshHost;
  beforeAll(async () => {
    host = await startSshHost({ shell: 'dash' });
  });
  afterAll(() => host?.close());

  test('gets the verdict that it would get there, and steps to type here', async () => {
    const { pid, stop } = startPipeline();
    try {
      const { answer } = await askUntil(
        () => whyOn(host.name, pid, { env: host.env }),
        ({ answer: { verdict } }) => verdict.kind === 'timer' && verdict.certainty === 'high',
      );
      expect(answer).toMatchObject({
        on: 'ssh:box',
        target: { pid },
        verdict: { kind: 'timer', certainty: 'high' },
      });
    } finally {
      stop();
    }
  });

  test('a stopped process is stopped there, too, and is continued there', async () => {
    const { pid, stop } = startPipeline();
    try {
      process.kill(pid, 'SIGSTOP');
      const { answer } = await askUntil(
        () => whyOn(host.name, pid, { env: host.env }),
        ({ answer }) => answer.verdict.kind === 'stopped',
      );
      expect(answer.verdict).toMatchObject({ kind: 'stopped', pid });
      expect(answer.verdict.next.join(' ')).toContain('ssh box kill');
    } finally {
      stop();
    }
  });
});

const podmanMissing = noPodmanOutside();

describe.skipIf(podmanMissing !== null)('a container of this machine', () => {
  let web: Container;
  let bare: Container;
  beforeAll(() => {
    web = startContainer(['sh', '-c', 'mkfifo /tmp/f; cat /tmp/f | cat']);
    bare = startContainer(['/bin/busybox', 'sleep', '1000'], { shell: false });
  });
  afterAll(() => {
    web?.close();
    bare?.close();
  });

  /** All its programs run: the shell has become no other one, and both cats are there. */
  const settled = () =>
    askUntil(
      () => whyOn(`podman:${web.name}`, 1),
      ({ answer, snapshot }) =>
        snapshot.processes.filter(({ inTree, name }) => inTree && name === 'cat').length === 2 &&
        !['working', 'starved'].includes(answer.verdict.kind),
    );

  test('is read from outside, without a shell in it', async () => {
    const { answer } = await askUntil(
      () => whyOn(`podman:${bare.name}`, 1),
      ({ answer }) => answer.verdict.kind === 'timer',
    );
    expect(answer).toMatchObject({ on: `podman:${bare.name}`, verdict: { kind: 'timer' } });
    expect(answer.verdict.evidence[0]).toMatch(/^pid 1 in podman:.* is \d+ here$/);
  });

  test('a process in it has its own pid here', async () => {
    const { snapshot } = await settled();
    const inner = snapshot.processes.find(
      ({ namespacePids, inTree }) => inTree && namespacePids.at(-1) !== 1,
    );
    const pid = inner?.namespacePids.at(-1) ?? -1;
    const { answer } = await whyOn(`podman:${web.name}`, pid);
    expect(answer.target.pid).toBe(inner?.pid);
    await expect(whyOn(`podman:${web.name}`, 999_999)).rejects.toThrow(
      `no process 999999 on podman:${web.name}`,
    );
  });

  test('busybox in it captures the same, or less with a reason', async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-capture-')), 'c.json');
    try {
      const outside = await settled();
      const inside = await whyOn(`podman:${web.name}`, 1, { capture: file });
      expect(inside.answer.verdict.certainty).not.toBe('certain');
      expect([outside.answer.verdict.kind, 'unknown']).toContain(inside.answer.verdict.kind);
      const again = whySnapshot(await loadSnapshot(file));
      expect(again.verdict.kind).toBe(inside.answer.verdict.kind);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      await removeDirectory(path.dirname(file));
    }
  });

  test('a chain that ends at its client goes on inside', async () => {
    const client = spawn('podman', ['exec', web.name, 'sh', '-c', 'sleep 1234 | cat'], {
      detached: true,
      stdio: 'ignore',
    });
    try {
      await vi.waitFor(
        async () => {
          const answer = await why(client.pid ?? -1);
          expect(answer.chain.map(({ command }) => command)).toContain('sleep 1234');
          expect(answer.chain[0]?.waitsFor).toBe(`its command in podman:${web.name}`);
          expect(answer.verdict).toMatchObject({ kind: 'timer', beyond: { place: `podman:${web.name}` } });
        },
        { timeout: patienceMs, interval: 100 },
      );
    } finally {
      process.kill(-(client.pid ?? 0), 'SIGKILL');
    }
  });

  test('without a shell it cannot be captured, and the error says what can be done', async () => {
    const capture = path.join(os.tmpdir(), 'unstuck-never-written.json');
    await expect(whyOn(`podman:${bare.name}`, 1, { capture })).rejects.toThrow(/has no sh/);
  });
});
