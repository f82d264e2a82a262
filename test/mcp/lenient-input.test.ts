import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readInput, type Tool } from '../../src/mcp/tool.js';
import { tools } from '../../src/mcp/tools/table.js';
import { Failure } from '../../src/model/failure.js';
import { visible } from '../../src/text/visible.js';

const toolOf = (name: string) => tools.find((one) => one.name === name) as Tool;
const read = (name: string, given: object) => readInput(toolOf(name), { ...given });

describe('names and types that models use are understood', () => {
  const id = 'run_0123456789ab';
  it.each([
    ['process', { action: 'poll', session_id: id }, { action: 'poll', id }],
    ['process', { action: 'poll', runId: id }, { action: 'poll', id }],
    ['process', { action: 'poll', run_id: id, id }, { action: 'poll', id }],
    ['process', { action: 'poll', id: [id] }, { action: 'poll', id }],
    ['process', { action: 'poll', id: 123456789012 }, { action: 'poll', id: '123456789012' }],
    ['process', { action: 'WAIT', id, timeout: '30' }, { action: 'wait', id, timeoutS: 30 }],
    ['process', { action: 'wait', id, timeout_ms: 1500 }, { action: 'wait', id, timeoutS: 1.5 }],
    ['process', { action: 'wait', id, timeoutSeconds: 20 }, { action: 'wait', id, timeoutS: 20 }],
    ['process', { action: 'wait', id, timeoutS: '2m' }, { action: 'wait', id, timeoutS: 120 }],
    [
      'process',
      { action: 'wait', id, until: '["exit","port"]' },
      { action: 'wait', id, until: ['exit', 'port'] },
    ],
    [
      'process',
      { action: 'wait', id, until: 'exit, Needs_Input' },
      { action: 'wait', id, until: ['exit', 'needs-input'] },
    ],
    ['process', { action: 'wait', id, port: '3000', match: null }, { action: 'wait', id, port: 3000 }],
    ['process', { action: 'submit', id, input: 'yes' }, { action: 'submit', id, data: 'yes' }],
    ['process', { action: 'log', id, errors: 'true' }, { action: 'log', id, errors: true }],
    ['start', { cmd: 'npm test', timeout: 600 }, { command: 'npm test', timeout: '600' }],
    ['start', { command: 'x', timeout_ms: 5000 }, { command: 'x', timeout: '5' }],
    [
      'start',
      { command: 'x', idle_timeout: '5m', 'kill-on': 'CERTAIN' },
      { command: 'x', idleTimeout: '5m', killOn: 'certain' },
    ],
    ['start', { command: '["npm","test"]' }, { command: ['npm', 'test'] }],
    ['start', { command: '[ -f x ]', tags: 'a,b' }, { command: '[ -f x ]', tags: ['a,b'] }],
    [
      'start',
      { command: 'x', env: '{"PORT":3000,"CI":true}' },
      { command: 'x', env: { PORT: '3000', CI: 'true' } },
    ],
    [
      'start',
      { command: 'x', yield_time_ms: 1000, workdir: '/tmp' },
      { command: 'x', waitS: 1, cwd: '/tmp' },
    ],
    ['why', { pid: '4371' }, { pid: 4371 }],
    ['notices', { ack: '12' }, { ack: 12 }],
  ])('%s %j', (tool, given, wanted) => {
    expect(read(tool, given)).toMatchObject(wanted);
  });
});

test('two names of one field with different values are refused', () => {
  expect(() => read('process', { action: 'poll', id: 'run_1111', session_id: 'run_2222' })).toThrow(
    expect.objectContaining({ code: 'bad-input', hint: 'give only id' }),
  );
});

/** Values that clients and models send by mistake, and values that are meant to break something. */
const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    '',
    ' ',
    '[',
    '{',
    '["a"',
    '[1,{}]',
    '{"a":1}',
    'null',
    '1e999',
    '-1',
    '1e3',
    '∞',
    '\ud800',
    '\u202e',
  ),
  fc.constantFrom(-1, 0.5, 1e21, Number.MAX_SAFE_INTEGER, -0),
  fc.constant('x'.repeat(300_000)),
);

test('no input of a tool is anything but understood, or refused with what to send instead', () => {
  for (const tool of tools) {
    const fields = Object.keys(tool.input.shape);
    const key = fc.oneof(
      fc.constantFrom(...fields, ...fields.map((field) => `${field}_ms`)),
      fc.constantFrom('__proto__', 'constructor', 'toString', 'session_id', 'timeout', '', '_', 'S', 'Ms'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(key, oddValue), { maxLength: 4 }), (entries) => {
        try {
          readInput(tool, Object.fromEntries(entries));
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
          const { message, hint } = error as Failure;
          expect(hint).toMatch(/\w/);
          expect(message.length + visible(hint).length).toBeLessThan(1500);
        }
      }),
      { numRuns: 60 },
    );
  }
});
