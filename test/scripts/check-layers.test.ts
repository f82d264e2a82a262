import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLayers } from '../../scripts/check-layers.mjs';
import { layers } from '../../scripts/layers.mjs';

let src: string;

beforeEach(() => {
  src = mkdtempSync(join(tmpdir(), 'unstuck-layers-'));
});

afterEach(() => {
  rmSync(src, { recursive: true });
});

function check(files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, file)), { recursive: true });
    writeFileSync(join(src, file), text);
  }
  return checkLayers(src);
}

const leaf = 'export const x = 1;\n';

test('a tree whose arrows point down is clean', () => {
  const result = check({
    'index.ts':
      "/** The library. */\nexport { x } from './control/why.js';\nexport type { V } from './model/v.js';\n",
    'globals.d.ts': 'declare const __UNSTUCK_VERSION__: string;\n',
    'model/v.ts': 'export interface V {\n  a: 1;\n}\n',
    'diagnose/rules/sleep.ts': "import type { V } from '../../model/v.js';\nexport const x = {} as V;\n",
    'probe/linux/stat.ts':
      "import { readSync } from 'node:fs';\nexport type { V } from '../../model/v.js';\n",
    'probe/processes.ts': "export type { V } from './linux/stat.js';\n",
    'control/why.ts':
      "import { x as y } from '../diagnose/rules/sleep.js';\nimport '../probe/processes.js';\nexport const x = y;\n",
    'cli/main.ts': "const { x } = await import('../control/why.js');\n",
  });
  expect(result).toEqual({ errors: [], warnings: [] });
});

describe('imports that go up or sideways', () => {
  const cases = [
    ['model/a.ts', '../config/x.js', 'model may not import config'],
    ['probe/a.ts', '../diagnose/x.js', 'probe may not import diagnose'],
    ['diagnose/rules/a.ts', '../../probe/x.js', 'diagnose may not import probe'],
    ['store/a.ts', '../run/x.js', 'store may not import run'],
    ['control/a.ts', '../cli/x.js', 'control may not import cli'],
    ['cli/a.ts', '../probe/x.js', 'cli may not import probe'],
    ['cli/a.ts', '../diagnose/x.js', 'cli may not import diagnose'],
    ['mcp/a.ts', '../cli/x.js', 'mcp may not import cli'],
    ['run/a.ts', '../registry/x.js', 'run may not import registry'],
    ['index.ts', './cli/x.js', 'index.ts may not import cli'],
  ] as const;
  const forms = {
    value: (to: string) => `export { x } from '${to}';\n`,
    type: (to: string) => `export type { x } from "${to}";\n`,
    'several lines': (to: string) => `export {\n  x,\n} from '${to}';\n`,
  };
  for (const [from, to, message] of cases) {
    test.each(Object.entries(forms))(`${from} -> ${to}, %s`, (_, write) => {
      const { errors } = check({ [from]: write(to), [join(dirname(from), to).replace('.js', '.ts')]: leaf });
      expect(errors).toEqual([`${from}:1: ${message} ('${to}')`]);
    });
  }

  test.each([
    ["import x, { type y } from '../config/x.js';"],
    ["import type * as x from '../config/x.js';"],
    ["import '../config/x.js';"],
    ["export * from '../config/x.js';"],
    ["const x = await import('../config/x.js');"],
    ["export type T = typeof import('../config/x.js');"],
    ["  const x = lazy(() => import(\n    '../config/x.js'\n  ));"],
  ])('%s', (statement) => {
    const { errors } = check({ 'model/a.ts': `${leaf}${statement}\n`, 'config/x.ts': leaf });
    expect(errors).toEqual(["model/a.ts:2: model may not import config ('../config/x.js')"]);
  });
});

test.each([
  ['model/a.ts', 'node:fs', "model is pure: it may not import the Node module 'node:fs'"],
  ['diagnose/a.ts', 'fs/promises', "diagnose is pure: it may not import the Node module 'fs/promises'"],
  ['diagnose/a.ts', 'zod', "diagnose is pure: it may not import the package 'zod'"],
])('%s must not import %s', (file, specifier, message) => {
  expect(check({ [file]: `import * as x from '${specifier}';\n` }).errors).toEqual([`${file}:1: ${message}`]);
});

test('comments are not imports, and do not hide imports after them', () => {
  const text = "// import x from 'node:fs';\n/*\nimport x from 'node:fs';\n*/\nimport x from 'node:os';\n";
  expect(check({ 'model/a.ts': text }).errors).toEqual([
    "model/a.ts:5: model is pure: it may not import the Node module 'node:os'",
  ]);
});

test('cycles, also of types and lazy imports', () => {
  const { errors } = check({
    'model/a.ts': "import type { b } from './b.js';\nexport const a = 1;\n",
    'model/b.ts': "export { c } from './deep/c.js';\n",
    'model/deep/c.ts': "export const c = () => import('../a.js');\n",
  });
  expect(errors).toEqual(['import cycle: model/a.ts -> model/b.ts -> model/deep/c.ts -> model/a.ts']);
});

test.each([
  ["export { x } from '../../scripts/x.js';\n", "model/a.ts:1: '../../scripts/x.js' is outside of src/"],
  ["export { x } from './b';\n", "model/a.ts:1: './b' is not there (imports are written with .js)"],
])('imports that lead nowhere', (text, error) => {
  expect(check({ 'model/a.ts': text, 'model/b.ts': leaf }).errors).toEqual([error]);
});

test('a folder that is not in the table', () => {
  expect(check({ 'utils/a.ts': leaf }).errors).toEqual([
    "utils/a.ts: 'utils' is not a layer (the table is in scripts/layers.mjs)",
  ]);
});

test('code in index.ts', () => {
  expect(
    check({ 'index.ts': `export { x } from './model/x.js';\nexport const y = 1;\n`, 'model/x.ts': leaf })
      .errors,
  ).toEqual(['index.ts: only `export … from` belongs here, not: export const y = 1;']);
});

test('a long file is a notice, not a failure', () => {
  expect(check({ 'model/a.ts': leaf.repeat(250), 'model/b.ts': leaf.repeat(251) })).toEqual({
    errors: [],
    warnings: ['model/b.ts: 251 lines: look for the second thing in it (over 250)'],
  });
});

test('the inside of the probe is not imported from outside', () => {
  const { errors } = check({
    'run/a.ts': "export { x } from '../probe/linux/x.js';\n",
    'probe/linux/x.ts': leaf,
  });
  expect(errors).toEqual([
    "run/a.ts:1: probe is imported through the files directly in it, not ('../probe/linux/x.js')",
  ]);
});

test('a folder with more than 20 files is an error', () => {
  const { errors } = check(
    Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`text/f${at}.ts`, leaf])),
  );
  expect(errors).toEqual(['text: 21 files: make rooms in it (over 20)']);
});

test('docs/architecture.md has the table of layers', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');
  const missing = Object.entries(layers).filter(
    ([name, { what }]) => !page.includes(`| \`src/${name}\` | ${what} |`),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});
