// Makes docs/api.md from the exports of src/index.ts and the comments above them. Alone: writes the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runMain } from './run-main.mjs';

/**
 * @typedef {{ name: string, kind: string, comment: string, code: string }} Export
 */

const head = `# The library

Made from the comments of the exports by \`node scripts/api-page.mjs\`; a test checks that it is current. \`import { run, why } from
'unstuck'\`. Longer texts: [the watchdog](watchdog.md), [background runs](background.md), [run](run.md), [orphans](orphans.md).
`;

/** @param {string} root */
export function renderApi(root) {
  const all = exportsOf(root);
  const kinds = {
    'Functions and values': ['function', 'const'],
    Classes: ['class'],
    Types: ['interface', 'type'],
  };
  const parts = Object.entries(kinds).map(([title, of]) => {
    const found = all.filter(({ kind }) => of.includes(kind));
    found.sort((one, other) => (one.name < other.name ? -1 : 1));
    return [`## ${title}`, ...found.map(entryOf)].join('\n\n');
  });
  return `${[head.trimEnd(), ...parts].join('\n\n')}\n`;
}

/** @param {Export} found */
function entryOf({ name, comment, code }) {
  return `### ${name}\n\n${comment}\n\n\`\`\`ts\n${code}\n\`\`\``;
}

/**
 * @param {string} root
 * @returns {Export[]}
 */
export function exportsOf(root) {
  return passedOn(join(root, 'src/index.ts'));
}

/**
 * What a file exports from other files.
 * @param {string} file
 * @returns {Export[]}
 */
function passedOn(file) {
  const lists = readFileSync(file, 'utf8').matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '(.+?)';/gm);
  return [...lists].flatMap(([, names = '', from = '']) => {
    const source = sourceOf(file, from);
    const wanted = names === '*' ? typesOf(source) : names.slice(1, -1).split(',');
    const own = wanted
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => declarationOf(source, name));
    return names === '*' ? [...own, ...passedOn(source)] : own;
  });
}

/** @param {string} file */
const typesOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);

/**
 * @param {string} file
 * @param {string} from
 */
const sourceOf = (file, from) => resolve(dirname(file), from.replace(/\.js$/, '.ts'));

/**
 * @param {string} file
 * @param {string} name
 * @returns {Export}
 */
function declarationOf(file, name) {
  const text = readFileSync(file, 'utf8');
  const start = new RegExp(
    `^export (?:async )?(?:abstract )?(function\\*?|const|class|interface|type) ${name}\\b`,
    'm',
  ).exec(text);
  if (start === null) {
    const passed = new RegExp(
      `^(?:import|export) (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '(.+?)';`,
      'm',
    ).exec(text);
    if (passed === null) throw new Error(`${name} is not declared in ${file}`);
    return declarationOf(sourceOf(file, passed[1] ?? ''), name);
  }
  const kind = (start[1] ?? '').replace('*', '');
  const comment = commentBefore(text.slice(0, start.index));
  if (comment === '') throw new Error(`${name} in ${file} has no comment`);
  return { name, kind, comment, code: codeOf(text, start.index, kind).replace(/^export /, '') };
}

/**
 * The text of the comment that ends right before this place.
 * @param {string} before
 */
function commentBefore(before) {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(before)?.[1] ?? '';
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  return lines.join(' ').trim();
}

/**
 * A function and a class without their body, a constant without its value, a type whole.
 * @param {string} text
 * @param {number} at
 * @param {string} kind
 */
function codeOf(text, at, kind) {
  if (kind === 'interface') return text.slice(at, text.indexOf('\n}', at) + 2);
  if (kind === 'type') return text.slice(at, endOfType(text, at));
  if (kind === 'class') return text.slice(at, text.indexOf(' {\n', at));
  if (kind === 'function')
    return text.slice(at, endOfSignature(text, at)).replace(/^export async /, 'export ');
  const [line = ''] = text.slice(at).split(/ =(?:\s|$)/, 1);
  // The shape of a constant may be an interface beside it.
  const shape = /: (\w+)$/.exec(line)?.[1];
  const place = shape === undefined ? -1 : text.indexOf(`\ninterface ${shape} {`);
  return place < 0 ? line : `${line};\n${text.slice(place, text.indexOf('\n}', place) + 2)}`;
}

/**
 * @param {string} text
 * @param {number} at
 */
function endOfType(text, at) {
  const end = text.slice(at).search(/;\n(?:\n|$|\/\*\*|export|type|interface|const|function)/);
  return end < 0 ? text.length : at + end + 1;
}

/**
 * The body begins with the first brace outside of brackets that ends its line.
 * @param {string} text
 * @param {number} at
 */
function endOfSignature(text, at) {
  let depth = 0;
  for (let place = at; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if ('(<['.includes(character)) depth += 1;
    else if (')]'.includes(character) || (character === '>' && text[place - 1] !== '=')) depth -= 1;
    else if (character === '{' && text[place + 1] === '\n' && depth === 0) return place - 1;
  }
  throw new Error('a function has no body');
}

await runMain(import.meta, async () => {
  const root = resolve(import.meta.dirname, '..');
  writeFileSync(join(root, 'docs/api.md'), renderApi(root));
});
