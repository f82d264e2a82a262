import fs from 'node:fs';
import path from 'node:path';
import { findCli } from '../control/client/find-cli.js';
import { Failure } from '../model/failure.js';

export interface Asset {
  type: string;
  bytes: Buffer;
  /** Its name has the checksum of its content. */
  isFixed: boolean;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the page by their path, read once. */
export function loadAssets(env: NodeJS.ProcessEnv): Map<string, Asset> {
  const folder = path.join(path.dirname(findCli(env)), 'web');
  let names: string[];
  try {
    names = fs.readdirSync(folder);
  } catch {
    throw new Failure('cannot-read', 'the files of the dashboard are missing', 'build them: npm run build');
  }
  return new Map(
    names.flatMap((name) => {
      const type = types[path.extname(name)];
      if (type === undefined) return [];
      const bytes = fs.readFileSync(path.join(folder, name));
      return [
        [name === 'index.html' ? '/' : `/${name}`, { type, bytes, isFixed: /-[A-Z0-9]{8}\./.test(name) }],
      ];
    }),
  );
}
