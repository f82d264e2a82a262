import type { NoticeWishes } from '../../model/notice.js';
import { showPattern } from './pattern.js';

/** A client that is notified of the end is not notified of lines before it. */
export function settleWishes(wishes: NoticeWishes): { wishes: NoticeWishes; warning: string | null } {
  const { events, patterns } = wishes;
  if (patterns.length === 0 || !events.includes('exit')) return { wishes, warning: null };
  const which = patterns.length === 1 ? `${showPattern(patterns[0] ?? '')} is` : `${patterns.length} are`;
  return {
    wishes: { ...wishes, patterns: [] },
    warning: `--watch cannot be combined with --notify: ${which} dropped`,
  };
}
