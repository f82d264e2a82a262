import fs from 'node:fs';
import path from 'node:path';
import { openOwnFile } from './open-own-file.js';

const { O_WRONLY, O_CREAT, O_TRUNC } = fs.constants;

/** Writes JSON under a temporary name first, so readers never see half of it. Readable by its owner only. */
export function writeWhole(file: string, content: unknown): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.tmp`);
  const fd = openOwnFile(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  try {
    fs.writeFileSync(fd, `${JSON.stringify(content, null, 1)}\n`);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(temporary, file);
}
