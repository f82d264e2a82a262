import { jsonText } from '../../model/json-text.js';
/** The output of an operation as it is (I1b). */
export function printJson(output: object): void {
  process.stdout.write(`${jsonText(output)}\n`);
}

/** What a command was asked for. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Beside output that is shown, or the state of a run: some of its output is missing. */
export function noteLost({ outputLost }: { outputLost?: { message: string } | undefined }): void {
  if (outputLost !== undefined) note(`warning: ${outputLost.message}`);
}

/** What is worth knowing besides. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
