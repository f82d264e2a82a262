import { Failure } from '../../model/failure.js';
import { jsonDocument } from '../output/json-document.js';

/** A Failure becomes two lines (or one JSON object) and an exit code; a bug is printed with its stack. */
export function fail(error: unknown, json: boolean): void {
  if (!(error instanceof Failure)) {
    process.stderr.write(
      `unstuck: internal error\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 125;
    return;
  }
  const { code, message, hint } = error;
  if (json) process.stdout.write(jsonDocument({ error: { code, message, hint } }));
  else process.stderr.write(`unstuck: ${message}\nhint: ${hint}\n`);
  process.exitCode = error.exitCode;
}
