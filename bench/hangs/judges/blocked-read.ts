import { read } from '../../process-cost.js';
import type { MakeJudge } from './judge.js';

/** read is number 0 on x86-64 and 63 on arm64; the first argument is the descriptor. */
const readNumber = process.arch === 'arm64' ? '63' : '0';
const readsInput = new RegExp(`^${readNumber} 0x0 `);

/** As some agents do it: the main thread of a process is in read(0), look after look. */
export const blockedRead: MakeJudge = ({ promptMs }) => {
  let sinceMs: number | null = null;
  return {
    look({ nowMs, pids }) {
      const blocked = pids.some((pid) => readsInput.test(read(`/proc/${pid}/syscall`)));
      sinceMs = blocked ? (sinceMs ?? nowMs) : null;
      return sinceMs !== null && nowMs - sinceMs >= promptMs ? 'needs-input' : undefined;
    },
  };
};
