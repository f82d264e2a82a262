import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TreeSample } from '../../../src/model/run/health.js';
import { pointsMax } from '../../../src/model/run/sample-points.js';
import { KeptSamples } from '../../../src/registry/monitor/kept-samples.js';
import { RunDirectory } from '../../../src/store/run-directory.js';

let runs: string;
let directory: RunDirectory;

beforeEach(() => {
  runs = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-samples-'));
  directory = RunDirectory.create('run_000000000001', runs);
});

afterEach(() => {
  fs.rmSync(runs, { recursive: true });
});

const sampleAt = (atMs: number): TreeSample =>
  ({ atMs, cpuPercent: 12.34, residentBytes: 4096, ioBytes: 7 }) as TreeSample;

function note(samples: KeptSamples, from: number, count: number): void {
  for (let index = from; index < from + count; index += 1) samples.note(sampleAt(index * 5000), index * 10);
}

test('samples outlive the daemon that took them, but for at most a minute of one that was killed', () => {
  const first = new KeptSamples(directory);
  note(first, 0, 30);
  first.note(sampleAt(29 * 5000), 290);
  expect(first.read()).toHaveLength(30);
  expect(new KeptSamples(directory).read()).toHaveLength(24);
  first.flush();
  const next = new KeptSamples(directory);
  expect(next.read().at(-1)).toMatchObject({ forMs: 5000, cpuPercent: 12.3, outputBytes: 290 });
  expect(fs.statSync(directory.file('samples.jsonl')).mode & 0o777).toBe(0o600);
});

test('samples of a run that does nothing are written every ten minutes, and at once when it goes on', () => {
  const idle = (atMs: number) => ({ ...sampleAt(atMs), cpuPercent: 0 });
  const samples = new KeptSamples(directory);
  const written = () => new KeptSamples(directory).read().length;
  for (let index = 0; index < 119; index += 1) samples.note(idle(index * 5000), 10);
  expect(written()).toBe(0);
  expect(samples.read()).toHaveLength(119);
  samples.note(idle(119 * 5000), 10);
  expect(written()).toBe(120);
  for (let index = 120; index < 131; index += 1) samples.note(idle(index * 5000), 10);
  samples.note(sampleAt(131 * 5000), 20);
  expect(written()).toBe(132);
});

test('the file is bounded, whatever the age of the run', () => {
  const samples = new KeptSamples(directory);
  note(samples, 0, 4 * pointsMax);
  samples.flush();
  expect(samples.read().length).toBeLessThanOrEqual(pointsMax);
  expect(fs.statSync(directory.file('samples.jsonl')).size).toBeLessThan(150_000);
});

test('lines that are not samples are left out', () => {
  fs.writeFileSync(directory.file('samples.jsonl'), 'x\n[1,2]\n[1,0,5,4096,null,3]\n[1,0,-5,1,1,1]\n[2,1,1');
  expect(new KeptSamples(directory).read()).toEqual([
    { atMs: 1, forMs: 0, cpuPercent: 5, residentBytes: 4096, ioBytes: null, outputBytes: 3 },
  ]);
});
