import fs from 'node:fs';

const secretBytesMax = 4096;
const othersBits = 0o077;

const { O_RDONLY, O_NONBLOCK } = fs.constants;

/** The secret of a webhook, read each time because it may change. Throws an error that states what to do. */
export function readSecret(file: string): Buffer {
  let fd: number;
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    fd = fs.openSync(file, O_RDONLY | O_NONBLOCK);
  } catch (error) {
    throw new Error(`the secret ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error(`the secret ${file} is no file`);
    if ((stat.mode & othersBits) !== 0) {
      throw new Error(`others may read the secret ${file}, so it is not used: chmod 600 it`);
    }
    if (stat.size > secretBytesMax) {
      throw new Error(`the secret ${file} is longer than ${secretBytesMax} bytes`);
    }
    const bytes = Buffer.alloc(secretBytesMax);
    const secret = withoutNewline(bytes.subarray(0, fs.readSync(fd, bytes, 0, secretBytesMax, 0)));
    if (secret.length === 0) throw new Error(`the secret ${file} is empty`);
    return secret;
  } finally {
    fs.closeSync(fd);
  }
}

/** An editor or `echo` ends the file with a newline. */
function withoutNewline(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 10 || bytes[end - 1] === 13)) end -= 1;
  return bytes.subarray(0, end);
}
