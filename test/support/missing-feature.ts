import { existsSync, readFileSync } from 'node:fs';
import type { KernelFeature } from '../fixtures/cases/case.js';

function firstNumber(file: string, fallback: number): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : fallback;
}

// Containers filter system calls that are new or dangerous: there only a try could tell, so say no.
function isFiltered(): boolean {
  return !/^Seccomp:\s*0$/m.test(readFileSync('/proc/self/status', 'utf8'));
}

function hasV2CpuController(): boolean {
  const file = '/sys/fs/cgroup/cgroup.subtree_control';
  return existsSync(file) && readFileSync(file, 'utf8').split(/\s+/).includes('cpu');
}

const present: Record<KernelFeature, () => boolean> = {
  io_uring: () => {
    const disabled = firstNumber('/proc/sys/kernel/io_uring_disabled', 0);
    return !isFiltered() && (disabled === 0 || (disabled === 1 && process.getuid?.() === 0));
  },
  userfaultfd: () => !isFiltered() && existsSync('/proc/sys/vm/unprivileged_userfaultfd'),
  'time-namespace': () => !isFiltered() && existsSync('/proc/self/ns/time'),
  fuse: () => existsSync('/dev/fuse'),
  'cgroup-v1-freezer': () => existsSync('/sys/fs/cgroup/freezer/cgroup.procs'),
  'cgroup-v2': () =>
    existsSync('/sys/fs/cgroup/cgroup.procs') || existsSync('/sys/fs/cgroup/unified/cgroup.procs'),
  'cgroup-cpu': () => existsSync('/sys/fs/cgroup/cpu/cpu.shares') || hasV2CpuController(),
};

/** The first of these features that this kernel lacks or denies, or null. */
export function missingFeature(features: KernelFeature[]): KernelFeature | null {
  return features.find((feature) => !present[feature]()) ?? null;
}
