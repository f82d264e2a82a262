/** How a screen changes from poll to poll: plain data of bounded size. */
export interface ScreenMotion {
  /** The text of the screen, without the parts that a clock changes. */
  steady: string;
  /** Since when the text is the same. */
  sinceMs: number;
  /** Times of the last few changes. */
  changedMs: readonly number[];
}

const changesMax = 4;

const spinner = /[\u2800-\u28ff◐◓◑◒◴◷◶◵◰◳◲◱✢✳✶✻✽✺✹✸✷∗∙■⬝]|(?<=^|[\s[(])[|/\\*·-](?=$|[\s\])])/g;
const timeOfDay = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;
const duration = /\b\d+(?:\.\d+)?\s?(?:ms|s|sec|secs|seconds?|m|min|minutes?|h|hours?)\b/g;
const dots = /\.+(?=\s|$)|…/g;
const drawnCursor = /[█▌▏▎_]\s*$/;

/** A row without the parts that a timer alone may change: a spinner, a clock, a cursor that blinks. */
export function withoutClock(line: string): string {
  return line
    .replace(drawnCursor, '')
    .replace(timeOfDay, '⏱')
    .replace(duration, '⏱')
    .replace(spinner, '*')
    .replace(dots, '')
    .replace(/(?:⏱\s*)+/g, '⏱ ')
    .replace(/\s+/g, ' ')
    .trimEnd();
}

export function advanceMotion(
  before: ScreenMotion | null,
  lines: readonly string[],
  atMs: number,
): ScreenMotion {
  const steady = lines.map(withoutClock).join('\n');
  if (before === null) return { steady, sinceMs: atMs, changedMs: [] };
  if (before.steady === steady) return before;
  return { steady, sinceMs: atMs, changedMs: [...before.changedMs, atMs].slice(-changesMax) };
}

/** The screen has changed again and again, and recently: something goes on by itself. */
export function isLively({ changedMs }: ScreenMotion, atMs: number): boolean {
  const [first] = changedMs;
  if (changedMs.length < changesMax || first === undefined) return false;
  const last = changedMs[changedMs.length - 1] as number;
  return atMs - last <= last - first;
}
