import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Consumers } from '../../../src/store/notices/consumers.js';

const day = 24 * 60 * 60_000;

let home: string;
let file: string;
let now: number;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-consumers-'));
  file = path.join(home, 'consumers.json');
  now = Date.parse('2030-01-10T00:00:00Z');
});

afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const open = () => Consumers.open(home, () => now);

describe('notices are acknowledged per consumer', () => {
  test('a new consumer is at 0; two consumers are independent; all of it is on disk at once', () => {
    const consumers = open();
    expect(consumers.of('a')).toMatchObject({ acked: 0, given: 0 });
    consumers.given('a', 7);
    consumers.ack('a', 5, 10);
    consumers.given('b', 3);
    const next = open();
    expect(next.of('a')).toMatchObject({ acked: 5, given: 7 });
    expect(next.of('b')).toMatchObject({ acked: 0, given: 3 });
    expect(next.highest).toBe(7);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(home)).toEqual(['consumers.json']);
  });

  test('never backwards, and never beyond what there is', () => {
    const consumers = open();
    consumers.ack('a', 8, 10);
    consumers.ack('a', 3, 10);
    expect(open().of('a').acked).toBe(8);
    consumers.ack('a', 1e15, 10);
    expect(open().of('a').acked).toBe(10);
    consumers.given('a', 12);
    consumers.given('a', 4);
    expect(open().of('a').given).toBe(12);
  });

  test('names are names, whatever they mean to JavaScript', () => {
    const consumers = open();
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(consumers.of(name).acked).toBe(0);
      consumers.ack(name, 2, 2);
    }
    for (const name of ['__proto__', 'constructor', 'toString']) expect(open().of(name).acked).toBe(2);
  });

  test('at most 256 consumers: the least recently seen is forgotten', () => {
    const consumers = open();
    for (let n = 0; n < 256; n++) consumers.ack(`c${n}`, 1, 9);
    consumers.ack('c0', 2, 9);
    consumers.ack('new', 1, 9);
    expect(consumers.of('c1').acked).toBe(0);
    expect(open().of('c0').acked).toBe(2);
    expect(open().of('new').acked).toBe(1);
    expect(Object.keys(JSON.parse(fs.readFileSync(file, 'utf8'))).length).toBe(256);
  });

  test('no consumer is forgotten because the clock has jumped', () => {
    const consumers = open();
    consumers.ack('away', 1, 9);
    now += 4000 * day;
    consumers.ack('here', 4, 9);
    expect(open().of('away').acked).toBe(1);
  });

  test('what all of them have; without any, nothing', () => {
    const consumers = open();
    expect(consumers.ackedByAll).toBe(0);
    consumers.ack('a', 7, 9);
    expect(consumers.ackedByAll).toBe(7);
    consumers.given('b', 9);
    expect(consumers.ackedByAll).toBe(0);
    consumers.ack('b', 3, 9);
    expect(open().ackedByAll).toBe(3);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"a":null}',
    '{"a":{"acked":-1,"given":0,"seenMs":0}}',
    '{"a":{"acked":"1","given":0,"seenMs":0}}',
    '{"a":{"acked":1e300,"given":0,"seenMs":0}}',
    '\0',
    ' '.repeat(2_000_000),
  ])('what cannot be read begins anew: %#', (content) => {
    fs.writeFileSync(file, content);
    expect(open().of('a')).toMatchObject({ acked: 0, given: 0 });
    expect(open().highest).toBe(0);
    open().ack('a', 1, 1);
    expect(open().of('a').acked).toBe(1);
  });

  test('what cannot be written was not acknowledged', () => {
    const consumers = open();
    consumers.ack('a', 1, 9);
    fs.rmSync(home, { recursive: true });
    expect(() => consumers.ack('a', 5, 9)).toThrow(/acknowledgement/);
    expect(consumers.of('a').acked).toBe(1);
    expect(() => consumers.given('a', 5)).not.toThrow();
    expect(consumers.of('a').given).toBe(5);
  });
});
