import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function linesOf(files: (name: string) => boolean, text: RegExp): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && files(name))
    .flatMap((name) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .filter((line) => text.test(line))
        .map((line) => `${name}: ${line}`),
    );
}

// Many files are run in one process, which loads a module once.
test('no module that tests share calls a hook when it is loaded: only its first file would have it', () => {
  const isShared = (name: string) => !name.endsWith('.test.ts') && name !== 'support/hooks.ts';
  expect(linesOf(isShared, /^(after|before|around)(Each|All)\(/)).toEqual([]);
});

test('no test replaces a whole module: files before it may have loaded the real one', () => {
  expect(linesOf((name) => name.endsWith('.test.ts'), /^\s*vi\.(mock|doMock)\(/)).toEqual([]);
});
