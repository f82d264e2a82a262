import { describe, expect, it } from 'vitest';
import { findOrphans } from '../../src/control/orphans/orphans.js';
import { parentOf } from '../run/stop/start-run.js';
import { askUntil } from '../support/ask-until.js';
import { until } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { OrphanHome } from './orphan-home.js';

const python = findTool('python3');

/** Takes in what its descendants leave behind, as the systemd of a user does; keeps a child of its own. */
const subreaper = `
import ctypes, subprocess, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.Popen(['tail', '-f', '/dev/null'])
subprocess.run(['setsid', '-w', 'sh', '-c', 'tail -f /dev/null & echo $! >left'])
subprocess.run(['setsid', '-w', 'sh', '-c', 'sleep 1000 & echo $! >unlike'])
subprocess.run(['setsid', '-w', 'sh', '-c', 'cd /; exec tail -f /dev/null & '])
time.sleep(1000)`;

describe('suspects', () => {
  it.skipIf(python === null)(
    'a process is suspected that matches a pattern, is in the project and was reparented to a subreaper',
    async () => {
      const home = new OrphanHome();
      const reaper = home.start([python ?? '', '-c', subreaper]);
      const left = await home.pid('left');
      const unlike = await home.pid('unlike');
      await until(() => parentOf(left) === reaper && parentOf(unlike) === reaper, 'they were taken in');
      // Strangers with the same words in the same place: a live shell has one, a live program the other.
      home.start(['sh', '-c', 'tail -f /dev/null & wait']);
      home.start(['tail', '-f', '/dev/null']);
      const find = (patterns: string[] = [], projectDir = home.project) =>
        findOrphans({ home: home.path, projectDir, patterns });
      await until(async () => (await find())[0]?.command === 'tail -f /dev/null', 'tail has begun');
      expect(await find()).toMatchObject([
        { pid: left, classification: 'suspected', evidence: ['pattern'], run: null, cwd: home.project },
      ]);
      expect((await find())[0]?.reason).toBe(
        'looks like tail -f, runs in a project directory, and its parent has ended',
      );
      const both = [left, unlike].sort((a, b) => a - b).join();
      const found = async () => (await find(['sleep 1000'])).map(({ pid }) => pid).join();
      expect(await askUntil(found, (pids) => pids === both)).toBe(both);
      expect(await find([], `${home.project}/nowhere`)).toEqual([]);
      expect(await find([], home.runs)).toEqual([]);
    },
  );
});
