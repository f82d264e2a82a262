import { existsSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from './patience.js';
import { type Identity, type Member, treeReader } from './read-tree.js';

const pollEveryMs = 20;

// Where the frozen cases make their groups, named after the mark of the case.
const cgroupRoots = [
  '/sys/fs/cgroup/freezer',
  '/sys/fs/cgroup/unified',
  '/sys/fs/cgroup/cpu',
  '/sys/fs/cgroup',
];

function groupsOf(mark: string): string[] {
  return cgroupRoots.map((root) => `${root}/unstuck-test-${mark}`).filter((dir) => existsSync(dir));
}

function thaw(dir: string): void {
  // A v1 frozen process does not even die of SIGKILL before it is thawed.
  if (existsSync(`${dir}/freezer.state`)) writeFileSync(`${dir}/freezer.state`, 'THAWED');
  if (existsSync(`${dir}/cgroup.freeze`)) writeFileSync(`${dir}/cgroup.freeze`, '0');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // already gone, or (setuid) not ours: then it counts as a survivor below
  }
}

/** Kills every process of a case and proves that none is left; throws naming the survivors. */
export async function stopTree(mark: string, root: Identity): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  const readMembers = treeReader(mark, root);
  let left: Member[] = [];
  do {
    for (const dir of groupsOf(mark)) thaw(dir);
    left = readMembers().filter((member) => !member.isDead);
    for (const member of left) {
      signal(member.pid, 'SIGKILL');
      signal(member.pid, 'SIGCONT');
    }
    if (left.length > 0) await delay(pollEveryMs);
  } while (left.length > 0 && performance.now() < deadlineMs);
  if (left.length > 0) {
    throw new Error(
      `still alive ${patienceMs} ms after SIGKILL: ${left.map((m) => `${m.comm}(${m.pid}, ${m.state})`).join(', ')}`,
    );
  }
  for (const dir of groupsOf(mark)) await removeGroup(dir, deadlineMs);
}

async function removeGroup(dir: string, deadlineMs: number): Promise<void> {
  // The kernel lets go of a group a moment after its last process.
  for (;;) {
    try {
      for (const entry of readdirSync(dir, { withFileTypes: true }))
        if (entry.isDirectory()) rmdirSync(`${dir}/${entry.name}`);
      rmdirSync(dir);
      return;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await delay(pollEveryMs);
    }
  }
}
