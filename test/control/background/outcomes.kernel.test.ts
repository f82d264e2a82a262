import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../../src/model/run/receipt.js';
import { ownHome as home, until } from '../../support/background-home.js';
import { removeDirectory } from '../../support/remove-directory.js';

const quick = { sample: '50ms', activityWindow: '200ms' };
const fileOf = (id: string, name: string) => path.join(home().path, 'runs', id, name);
const isRunning = (pid: number | null) => fs.existsSync(`/proc/${pid}`);

/** As if the daemon had been killed, and something had changed before the next one came. */
async function between(change: () => void): Promise<void> {
  await home().killDaemon();
  change();
}

function edit(file: string, change: (content: string) => string): void {
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
}

const unknown = { code: null, signal: null, provenance: 'unknown' };

describe.concurrent('whatever happened while no daemon ran, the outcome is defined', () => {
  test('after another boot the run is lost, its exit is not invented, and no process is signalled', async () => {
    const { id, pid } = await home().start(['sleep', '1000']);
    const file = fileOf(id, 'run.json');
    const before = fs.readFileSync(file, 'utf8');
    await between(() => edit(file, (text) => text.replace(/"bootId": "[^"]+"/, '"bootId": "another"')));
    expect(await home().call('wait', { id })).toMatchObject({ status: 'lost', exit: unknown });
    expect(await home().call('kill', { id })).toMatchObject({ status: 'already-exited', receipt: null });
    expect(isRunning(pid)).toBe(true);
    await between(() => fs.writeFileSync(file, before));
    expect(await home().call('kill', { id })).toMatchObject({ status: 'killed' });
  });

  test('a reused pid is not taken for the run', async () => {
    const { id, pid } = await home().start(['sleep', '1000']);
    const files = ['pid', 'claim'].map((name) => fileOf(id, name));
    const before = files.map((file) => fs.readFileSync(file, 'utf8'));
    // Another start time (field 22): the process with this number is another one.
    const older = (line: string) => {
      const fields = line.split(' ');
      fields[21] = '1';
      return fields.join(' ');
    };
    await between(() => {
      for (const file of files) edit(file, older);
    });
    expect(await home().call('wait', { id })).toMatchObject({ status: 'lost', exit: unknown });
    await between(() => {
      for (const [index, file] of files.entries()) fs.writeFileSync(file, before[index] ?? '');
      fs.rmSync(fileOf(id, 'report.json'));
    });
    expect(isRunning(pid)).toBe(true);
    expect(await home().call('kill', { id })).toMatchObject({ status: 'killed' });
  });

  test('the shim was killed: the command runs on, and its exit is unknown', async () => {
    const { id, pid } = await home().start(['sh', '-c', 'until [ -e go ]; do sleep 0.02; done; exit 3'], {
      options: quick,
      cwd: home().path,
    });
    const shim = Number(fs.readFileSync(fileOf(id, 'claim'), 'utf8').split(' ')[0]);
    // All of it, also what it is just starting: a part would still record the exit.
    const killParts = () => {
      const { stdout } = spawnSync('ps', ['-s', String(shim), '-o', 'pid='], { encoding: 'utf8' });
      const parts = stdout.split(/\s+/).filter((part) => part !== '');
      for (const part of parts) spawnSync('kill', ['-KILL', part]);
      return parts.length === 0;
    };
    await until(killParts, 'the shim is gone');
    expect(isRunning(shim)).toBe(false);
    expect((await home().call('poll', { id })).status).toBe('running');
    expect(isRunning(pid)).toBe(true);
    fs.writeFileSync(path.join(home().path, 'go'), '');
    expect(await home().call('wait', { id, timeoutS: 60 })).toMatchObject({ status: 'lost', exit: unknown });
  });

  test('the directory is deleted: it can still be stopped, and others are not affected', async () => {
    const { id, pid } = await home().start(['sleep', '1000'], { options: quick });
    const other = await home().start(['sleep', '1000']);
    // The daemon may write to it meanwhile.
    await removeDirectory(path.join(home().path, 'runs', id));
    await expect(home().call('log', { id })).rejects.toThrow(/no longer there/);
    expect((await home().call('poll', { id: other.id })).status).toBe('running');
    expect(await home().call('kill', { id })).toMatchObject({ id, status: 'killed' });
    await until(() => !isRunning(pid), 'it is stopped');
  });

  test.each([
    ['garbage', (file: string) => fs.writeFileSync(file, '{"version": 1')],
    [
      'another version',
      (file: string) => edit(file, (text) => text.replace('"version": 1', '"version": 99')),
    ],
    [
      'a directory',
      (file: string) => {
        fs.rmSync(file);
        fs.mkdirSync(file);
      },
    ],
    [
      'a FIFO without a writer',
      (file: string) => {
        fs.rmSync(file);
        execFileSync('mkfifo', [file]);
      },
    ],
    ['a gigabyte of nothing', (file: string) => fs.truncateSync(file, 2 ** 30)],
  ])('run.json is %s: it is set aside with a reason, and the rest is adopted', async (_name, spoil) => {
    const bad = await home().start(['sleep', '1000']);
    const good = await home().start(['sleep', '1000']);
    const file = fileOf(bad.id, 'run.json');
    const before = fs.readFileSync(file);
    await between(() => spoil(file));
    const { runs, unreadable } = await home().call('list', {});
    expect(runs.map(({ id, status }) => ({ id, status }))).toEqual([{ id: good.id, status: 'running' }]);
    expect(unreadable).toEqual([
      { directory: path.join(home().path, 'runs', bad.id), reason: expect.stringMatching(/run\.json/) },
    ]);
    await expect(home().call('kill', { id: bad.id })).rejects.toThrow(/cannot be read: .*run\.json/);
    expect(isRunning(bad.pid)).toBe(true);
    await between(() => {
      fs.rmSync(file, { recursive: true });
      fs.writeFileSync(file, before);
    });
    expect((await home().call('poll', { id: bad.id })).status).toBe('running');
  });

  test('the clock is set back: it has run for no negative time, and its end is not before its start', async () => {
    const { id } = await home().start(['sleep', '1000']);
    await between(() =>
      edit(fileOf(id, 'run.json'), (text) =>
        text.replace(/"startedAt": "[^"]+"/, '"startedAt": "2099-01-01T00:00:00.000Z"'),
      ),
    );
    const find = async () => (await home().call('list', {})).runs.find((run) => run.id === id);
    const live = await find();
    expect(live?.uptimeS).toBeGreaterThanOrEqual(0);
    expect(live?.uptimeS).toBeLessThan(60);
    await home().call('kill', { id });
    expect((await find())?.uptimeS).toBe(0);
  });

  test('files are 0600, directories 0700, also the pipes and the socket', async () => {
    const umask = process.umask(0);
    try {
      const { id } = await home().start(['sh', '-c', 'umask; cat'], { input: 'pipe' });
      await home().call('submit', { id, data: 'secret' });
      await home().call('poll', { id });
      await home().call('kill', { id });
    } finally {
      process.umask(umask);
    }
    const open: string[] = [];
    for (const entry of fs.readdirSync(home().path, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const wanted = entry.isDirectory() ? 0o700 : 0o600;
      // The daemon replaces some of its files.
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      const mode = (stat?.mode ?? wanted) & 0o777;
      if (mode !== wanted) open.push(`${entry.name} ${mode.toString(8)}`);
    }
    expect(open).toEqual([]);
    expect(fs.statSync(home().path).mode & 0o777).toBe(0o700);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'a full disk: the command runs on and its exit is known; lost output is reported',
    async () => {
      const small = path.join(home().path, 'small');
      fs.mkdirSync(small);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'tmpfs', small]);
      const env = { ...home().env, UNSTUCK_HOME: small };
      try {
        const { id } = await home().call(
          'start',
          { command: ['sh', '-c', 'head -c 8000000 /dev/zero; exit 5'], cwd: '/', options: quick },
          { env },
        );
        expect(await home().call('wait', { id, timeoutS: 60 }, { env })).toMatchObject({
          status: 'exited',
          exit: { code: 5, provenance: 'recorded' },
        });
        expect((await home().call('poll', { id }, { env })).why).toMatch(/some of its output was not saved/);
        await expect(home().call('start', { command: ['true'], cwd: '/' }, { env })).rejects.toThrow(
          /cannot be kept/,
        );
        expect((await home().call('list', {}, { env })).runs).toHaveLength(1);
      } finally {
        execFileSync(process.execPath, [path.resolve('dist/cli.cjs'), 'daemon', 'stop'], {
          env,
          stdio: 'ignore',
        });
        execFileSync('umount', ['-l', small]);
      }
    },
  );
});

describe.concurrent('many clients', () => {
  test('two readers and a writer at once on the same run', async () => {
    const { id } = await home().start(['cat'], { input: 'pipe' });
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
    const read = async (reader: string) => {
      let text = '';
      while (text.length < lines.join('').length) {
        text += (await home().call('poll', { id, reader, limit: 100_000 })).output;
      }
      return text;
    };
    const write = async () => {
      for (const data of lines) await home().call('write', { id, data });
    };
    const [one, two] = await Promise.all([read('one'), read('two'), write()]);
    expect(one).toBe(lines.join(''));
    expect(two).toBe(lines.join(''));
  });

  test('50 clients wait for the same run, and all get its end', async () => {
    const { id } = await home().start(['sh', '-c', 'until [ -e go ]; do sleep 0.02; done; exit 9'], {
      cwd: home().path,
    });
    const waiting = Array.from({ length: 50 }, (_, n) =>
      home().call('wait', { id, reader: `r${n}`, timeoutS: 60 }),
    );
    fs.writeFileSync(path.join(home().path, 'go'), '');
    const codes = new Set((await Promise.all(waiting)).map(({ exit }) => exit?.code));
    expect([...codes]).toEqual([9]);
  });
});

describe.concurrent('what an unlucky moment leaves', () => {
  test.each(['the order is written', 'the command has ended'])(
    'a daemon killed in the grace time, when %s: the next daemon stops and reports the rest',
    async (moment) => {
      const stubborn = 'setsid sh -c "trap : TERM; echo ready; while :; do sleep 0.05; done" & sleep 1000';
      const { id, pid } = await home().start(['sh', '-c', stubborn], { options: { ...quick, grace: '2s' } });
      await home().call('wait', { id, match: 'ready', timeoutS: 60 });
      const killing = home()
        .call('kill', { id })
        .catch((error: Error) => error);
      const isNow = () =>
        moment.includes('order') ? fs.existsSync(fileOf(id, 'kill.json')) : !fs.existsSync(`/proc/${pid}`);
      await until(isNow, moment);
      await home().killDaemon();
      const answer = await killing;
      expect(answer).toMatchObject({ status: 'killed', receipt: { survivors: [] } });
      // The request was made again by itself: that is no second one, which would not wait.
      const { receipt } = answer as { receipt: Receipt };
      const [signal] =
        receipt.processes.find(({ command }) => command.startsWith('sh -c trap'))?.signals ?? [];
      expect(signal).toBe('SIGTERM');
      expect(JSON.parse(fs.readFileSync(fileOf(id, 'report.json'), 'utf8')).outcome).toBe('interrupted');
      const left = execFileSync('sh', [
        '-c',
        `grep -lz "^UNSTUCK_RUN_ID=${id}$" /proc/[0-9]*/environ 2>/dev/null | cat`,
      ]);
      expect(left.toString()).toBe('');
    },
  );

  test('a search through a flood does not hold up other requests, and keeps its time', async () => {
    const { id } = await home().start(
      ['sh', '-c', 'yes "a line of output" | head -c 400000000; sleep 1000'],
      {
        options: quick,
      },
    );
    const finished: string[] = [];
    const waiting = home()
      .call('wait', { id, match: '/nowhere to be found/', timeoutS: 20 })
      .then((answer) => {
        finished.push('wait');
        return answer;
      });
    for (let n = 0; n < 3; n++) await home().call('list', {});
    finished.push('three lists');
    expect((await waiting).status).toBe('timeout');
    expect(finished).toEqual(['three lists', 'wait']);
  });

  test('the log keeps to its cap, also when the command has ended and a child prints on', async () => {
    const script = '(for i in 1 2 3 4; do head -c 20000000 /dev/zero; sleep 0.3; done; sleep 1000) & echo x';
    const { id } = await home().start(['sh', '-c', script], {
      options: { ...quick, logCap: '10M', linger: '100ms' },
    });
    await home().call('wait', { id, until: ['exit'], timeoutS: 60 });
    const { log } = await home().call('inspect', { id });
    await until(() => fs.statSync(log).size > 80_000_000, 'all is printed');
    await until(() => fs.statSync(log).blocks * 512 <= 10 * 1024 ** 2, 'it is kept to its cap');
    await home().call('kill', { id, graceS: 0 });
  });
});
