// Runs with room for some 30 descriptors: too few to keep three of each of 30 processes.
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { Sampler } from '../../../../src/probe/linux/sample/sampler.js';

const children = Array.from({ length: 30 }, () => spawn('sleep', ['1000'], { stdio: 'ignore' }));
const pids = children.map(({ pid }) => pid ?? -1);
const sampler = new Sampler({ keptFilesMax: Number.POSITIVE_INFINITY });
const added = pids.filter((pid) => sampler.add(pid) === 'followed').length;
const first = sampler.sweep();

// The rest of the program takes what is left: the sampler gives way.
try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // full
}
const second = sampler.sweep();
for (const child of children) child.kill('SIGKILL');
const seen = (sample: typeof first) => ({
  processes: sample.processes.length,
  withIo: sample.processes.filter(({ io }) => io !== null).length,
  ended: sample.ended.length,
  unread: sample.unread.length,
});
console.log(JSON.stringify({ added, first: seen(first), second: seen(second) }));
