import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  applyInsertions,
  insertHooks,
  oursIn,
  removeOurs,
  takeOut,
  undoInsertions,
  WrongShape,
} from '../../../src/control/hooks/edit-settings.js';
import { NotJson, parseJsonc, plainValue } from '../../../src/control/hooks/parse-jsonc.js';

const command = '/usr/bin/node /opt/cli.cjs hook event claude';
const entries = ['PreToolUse', 'PostToolUse'].map((event) => ({
  event,
  group: { matcher: 'Bash', hooks: [{ type: 'command', command }] },
}));
const isOurs = (text: string) => text === command;

const parsed = (text: string): unknown => {
  const node = parseJsonc(text);
  return node === null ? null : plainValue(node);
};

/** Settings as they are found: with hooks of others, an empty object of hooks, or none. */
const settings = fc.record(
  {
    hooks: fc.dictionary(
      fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop'),
      fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(fc.record({ command: fc.string() })) }), {
        maxLength: 2,
      }),
    ),
    env: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

/** The same text with comments, odd gaps and trailing commas between its tokens. */
const noise = fc.constantFrom('', '', ' ', '\n', '\t', '  \n', '/* , { */', '// ] "\n');

function scatter(text: string, pieces: readonly string[], commas: boolean): string {
  let at = 0;
  const next = () => pieces[at++ % Math.max(1, pieces.length)] ?? '';
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
    .map((token, index) => {
      const before = tokens[index - 1];
      const closes = (token === '}' || token === ']') && before !== '{' && before !== '[' && commas;
      return `${next()}${closes ? ',' : ''}${next()}${token}`;
    })
    .join('');
}

const styled = fc
  .tuple(
    settings,
    fc.constantFrom(undefined, 2, 4, '\t'),
    fc.boolean(),
    fc.array(noise),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([value, indent, crlf, pieces, isScattered, commas]) => {
    const text = JSON.stringify(value, null, indent);
    const lines = crlf ? text.replaceAll('\n', '\r\n') : `${text}\n`;
    return isScattered ? scatter(text, pieces, commas) : lines;
  });

describe('hooks are added to a settings file', () => {
  property.prop([styled], { numRuns: 500 })('and taken out again: the same bytes', (text) => {
    const insertions = insertHooks(text, entries);
    const after = applyInsertions(text, insertions);
    expect(oursIn(after, isOurs)).toEqual(entries.map(({ group }) => group));
    expect(undoInsertions(after, insertions)).toBe(text);
    expect(parsed(removeOurs(after, isOurs))).toMatchObject(parsed(text) as object);
  });

  property.prop([styled], { numRuns: 200 })('and nothing else of it changes', (text) => {
    const before = parsed(text) as { hooks?: Record<string, unknown[]> };
    const after = parsed(applyInsertions(text, insertHooks(text, entries))) as typeof before;
    const { hooks = {}, ...rest } = after;
    const { hooks: had = {}, ...others } = before;
    expect(rest).toEqual(others);
    for (const [event, groups] of Object.entries(hooks)) {
      const ours = entries.filter((entry) => entry.event === event).map(({ group }) => group);
      expect(groups).toEqual([...(had[event] ?? []), ...ours]);
    }
  });

  property.prop([fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' }))], { numRuns: 500 })(
    'or the text is refused, whatever it is',
    (text) => {
      try {
        const insertions = insertHooks(text, entries);
        expect(undoInsertions(applyInsertions(text, insertions), insertions)).toBe(text);
      } catch (error) {
        expect(error instanceof NotJson || error instanceof WrongShape).toBe(true);
      }
    },
  );

  property.prop([styled, fc.string({ maxLength: 20 })], { numRuns: 200 })(
    'and taken out of a file that has changed elsewhere',
    (text, word) => {
      const insertions = insertHooks(text, entries);
      const edit = (content: string) => `// ${JSON.stringify(word)}\n${content}\n`;
      expect(takeOut(edit(applyInsertions(text, insertions)), insertions)).toBe(edit(text));
    },
  );

  test('in the style of the file', () => {
    const text = '{\n\t"model": "opus", // the large one\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n';
    const [entry] = entries;
    const after = applyInsertions(text, insertHooks(text, entry === undefined ? [] : [entry]));
    expect(after).toBe(
      [
        '{',
        '\t"model": "opus", // the large one',
        '\t"hooks": {',
        '\t\t"Stop": [],',
        '\t\t"PreToolUse": [',
        '\t\t\t{',
        '\t\t\t\t"matcher": "Bash",',
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{',
        '\t\t\t\t\t\t"type": "command",',
        `\t\t\t\t\t\t"command": ${JSON.stringify(command)}`,
        '\t\t\t\t\t}',
        '\t\t\t\t]',
        '\t\t\t}',
        '\t\t]',
        '\t}',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('unless there is something else in their place', () => {
    for (const text of ['[]', '1', '{"hooks":[]}', '{"hooks":{"PreToolUse":{}}}'])
      expect(() => insertHooks(text, entries)).toThrow(WrongShape);
  });

  test('and a mistake is reported with its line', () => {
    expect(() => parseJsonc('{\n "a": 1\n "b": 2\n}')).toThrow(expect.objectContaining({ line: 3 }));
    expect(() => parseJsonc('['.repeat(5000))).toThrow(NotJson);
  });
});
