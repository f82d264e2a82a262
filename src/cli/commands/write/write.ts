import fs from 'node:fs';
import tty from 'node:tty';
import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { runName } from '../../shared/short-id.js';

type Written = OperationOutput<'write'>;

/** Bytes per request; base64 adds a third. */
const pieceBytes = 1024 * 1024;
/** With more than this pending for a command that does not read, wait instead of sending more. */
const pendingMax = 4 * 1024 * 1024;
const patientS = 60;

/** `5 bytes written to ab12`, and whether the command has them. */
export function writtenLine({ id, bytes, delivered, pending }: Written, given = id): string {
  const what = `${bytes} ${bytes === 1 ? 'byte' : 'bytes'} written to ${runName(given, id)}`;
  return delivered ? what : `${what}; not all is read yet: ${pending} bytes are kept for it`;
}

/** Sends bytes in order, one request after the other. */
export async function writeAll(call: Call, id: string, pieces: AsyncIterable<Buffer>): Promise<Written> {
  let sum: Written | null = null;
  const send = async (bytes: Buffer) => {
    const patience: { timeoutS?: number } = (sum?.pending ?? 0) > pendingMax ? { timeoutS: patientS } : {};
    const input = { id, data: bytes.toString('base64'), encoding: 'base64' as const, ...patience };
    const written: Written = await call('write', input);
    sum = { ...written, bytes: (sum?.bytes ?? 0) + written.bytes };
  };
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += pieceBytes) await send(piece.subarray(at, at + pieceBytes));
  }
  // With nothing to write, an empty request checks the id.
  if (sum === null) await send(Buffer.alloc(0));
  return sum as unknown as Written;
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function source(text: string | undefined, id: string): AsyncIterable<Buffer> {
  if (text !== undefined && text !== '-') return once(text);
  if (text === undefined && tty.isatty(0)) {
    throw new Failure(
      'bad-input',
      'nothing to write',
      `give a text: unstuck write ${id} TEXT, or pipe it: … | unstuck write ${id}`,
    );
  }
  return fs.createReadStream('', {
    fd: 0,
    autoClose: false,
    highWaterMark: pieceBytes,
  }) as AsyncIterable<Buffer>;
}

export async function write(
  call: Call,
  id: string,
  text: string | undefined,
  flags: JsonFlag,
): Promise<void> {
  const output = await writeAll(call, id, source(text, id));
  if (flags.json) return printJson(output);
  say(writtenLine(output, id));
}

/** `unstuck write`. */
export const runWrite = (id: string, text: string | undefined, flags: JsonFlag) =>
  withDaemon(flags, (call) => write(call, id, text, flags));
