import fs from 'node:fs';

/** A program of the system, whatever PATH the command has; null: there is none. */
export function toolPath(name: string): string | null {
  for (const dir of ['/usr/bin', '/bin', '/usr/local/bin']) {
    if (fs.existsSync(`${dir}/${name}`)) return `${dir}/${name}`;
  }
  return null;
}
