import type { ProcDir } from '../../proc/proc-dir.js';
import { findImage, type LoadedImage } from '../loaded-image.js';

/** libjvm.so as loaded in a process. */
export type Library = Pick<LoadedImage, 'base' | 'symbols'>;

/** null: the process has not loaded it, or hides its maps. */
export function findLibrary(dir: ProcDir): Library | null {
  return findImage(dir, (path) => path.endsWith('/libjvm.so'));
}
