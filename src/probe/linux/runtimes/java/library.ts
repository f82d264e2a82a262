import type { ProcDir } from '../../proc/proc-dir.js';
import { findImage, type LoadedImage } from '../loaded-image.js';

/** libjvm.so as one process has it loaded. */
export type Library = Pick<LoadedImage, 'base' | 'symbols'>;

/** null: the process has not loaded it, or hides what it has. */
export function findLibrary(dir: ProcDir): Library | null {
  return findImage(dir, (path) => path.endsWith('/libjvm.so'));
}
