/**
 * What differs between two runs of the same command. The text is a masked command line. Each pattern begins with a fixed
 * boundary and has no nested repetition, so no text makes it slow.
 */
const replaced: [pattern: RegExp, by: string][] = [
  // The first name below a directory for temporary files, as mktemp makes it.
  [/((?:^|[\s='":])\/(?:var\/|private\/|dev\/)?(?:tmp|shm|folders)\/)[^\s/'"]+/g, '$1*'],
  [/(^|[^\da-z])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/gi, '$1#'],
  // A checksum or an id in hexadecimal digits: at least one digit and one letter, so that words stay.
  [/(^|[^\da-z])(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[\da-f]{7,}(?![\da-z])/gi, '$1#'],
  // Digits that are a word by themselves: `--port=8080`, `2026-11-17`. Those in `python3` stay.
  [/(^|[^\da-z])\d+(?![\da-z])/gi, '$1N'],
  // Long numbers inside a word: `build12345`.
  [/\d{5,}/g, 'N'],
];

/** The same text for all runs of a command: numbers, checksums and temporary paths are replaced. */
export function sameCommand(command: string): string {
  return replaced.reduce((text, [pattern, by]) => text.replace(pattern, by), command);
}
