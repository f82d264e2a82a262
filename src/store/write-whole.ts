import fs from 'node:fs';
import path from 'node:path';

/** JSON, under a temporary name first: nobody ever reads half of it. Only its owner may. */
export function writeWhole(file: string, content: unknown): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.tmp`);
  fs.writeFileSync(temporary, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 });
  fs.renameSync(temporary, file);
}
