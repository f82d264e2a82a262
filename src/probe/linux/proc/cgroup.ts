import { isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles } from '../kernel/kernel.js';

export interface CgroupState {
  path: string;
  frozen: boolean;
  throttledTimes: number | null;
}

const v2Mounts = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/** `0::/path` is version 2; `6:freezer:/path` is a hierarchy of version 1. */
export function parseCgroup(text: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^\d+:([^:]*):(\/.*)$/.exec(line);
    if (match === null) continue;
    for (const controller of (match[1] ?? '').split(',')) paths.set(controller, match[2] ?? '/');
  }
  return paths;
}

function frozenV1(files: KernelFiles, path: string | undefined): boolean {
  if (path === undefined || path === '/') return false;
  const state = files.text(`/sys/fs/cgroup/freezer${path}/freezer.state`);
  return !isAbsent(state) && state.trim() === 'FROZEN';
}

function fileV2(files: KernelFiles, path: string, name: string): string | null {
  for (const mount of v2Mounts) {
    const text = files.text(`${mount}${path}/${name}`);
    if (!isAbsent(text)) return text;
  }
  return null;
}

function throttled(stat: string | null): number | null {
  const match = stat === null ? null : /^nr_throttled (\d+)$/m.exec(stat);
  return match === null ? null : Number(match[1]);
}

/** A group frozen from above shows it in its own cgroup.events: version 2 passes it down. */
export function readCgroup(files: KernelFiles, text: string): CgroupState {
  const paths = parseCgroup(text);
  const v2 = paths.get('');
  const events = v2 === undefined || v2 === '/' ? null : fileV2(files, v2, 'cgroup.events');
  const cpu = paths.get('cpu');
  const stat =
    cpu !== undefined && cpu !== '/'
      ? files.text(`/sys/fs/cgroup/cpu${cpu}/cpu.stat`)
      : v2 !== undefined && v2 !== '/'
        ? fileV2(files, v2, 'cpu.stat')
        : null;
  return {
    path: v2 ?? paths.get('freezer') ?? '/',
    frozen: frozenV1(files, paths.get('freezer')) || /^frozen 1$/m.test(events ?? ''),
    throttledTimes: throttled(typeof stat === 'string' ? stat : null),
  };
}
