import { often, readBytes, readText } from '../proc/proc-file.js';
import type { KernelFiles } from './kernel.js';

/** /proc and /sys of this machine. */
export const liveFiles: KernelFiles = {
  bytes: readBytes,
  text: readText,
  link: often.link,
  numbers: often.numbers,
};
