import { readPatterns } from '../diagnose/notices/pattern.js';

/** The version that started a run may have accepted a pattern that is refused now. */
export function usablePatterns(all: readonly string[]): { patterns: string[]; refused: string[] } {
  const refused: string[] = [];
  const patterns = all.filter((pattern) => {
    try {
      return readPatterns([pattern]).length > 0;
    } catch (error) {
      refused.push((error as Error).message);
      return false;
    }
  });
  return { patterns, refused };
}
