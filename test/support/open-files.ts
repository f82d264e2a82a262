import { readdirSync, readlinkSync } from 'node:fs';

/** What the descriptors of a process lead to; those that are closed meanwhile are left out. */
export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

export const openSockets = (pid: number) =>
  openFiles(pid).filter((link) => link.startsWith('socket:')).length;
