const duration = String.raw`\d+(?:\.\d+)? (?:ms|s|min|h|d)(?: \d+ (?:ms|s|min|h))*`;
const durations = new RegExp(duration, 'g');

/**
 * What a run does, with the times of what was just read: the sentence of its health may be of a snapshot some minutes ago.
 * Another sentence is left as it is.
 */
export function newestWords(why: string, justRead: string): string {
  const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = justRead.split(durations).map(literally).join(duration);
  return why.replace(new RegExp(pattern), () => justRead);
}
