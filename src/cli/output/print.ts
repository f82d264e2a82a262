import { jsonDocument } from './json-document.js';
/** Prints the output of an operation as JSON. */
export function printJson(output: object): void {
  process.stdout.write(jsonDocument(output));
}

/** Prints a line of the result to stdout. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Warns on stderr that some output is missing. */
export function noteLost({ outputLost }: { outputLost?: { message: string } | undefined }): void {
  if (outputLost !== undefined) note(`warning: ${outputLost.message}`);
}

/** Prints a line to stderr. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
