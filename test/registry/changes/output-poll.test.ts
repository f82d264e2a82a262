import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { OutputPoll } from '../../../src/registry/changes/output-poll.js';

class FileRun {
  status = 'running';
  polls = 0;
  #bytes = 0;
  readonly log: { path: string; tail: { catchUp(): boolean } };

  constructor(file: string) {
    const catchUp = () => {
      this.polls += 1;
      const before = this.#bytes;
      this.#bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      return this.#bytes !== before;
    };
    this.log = { path: file, tail: { catchUp } };
  }
}

test('a silent run is not polled, its next output is found at once, and then it is polled again', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-poll-'));
  const file = path.join(folder, 'log');
  fs.writeFileSync(file, '');
  const run = new FileRun(file);
  const printed = vi.fn();
  const fellSilent = vi.fn();
  const output = new OutputPoll<FileRun>({ printed, fellSilent });
  const poll = (times: number) => {
    for (let n = 0; n < times; n += 1) output.poll();
  };
  try {
    output.add(run);
    poll(3);
    const { polls } = run;
    poll(71);
    expect(run.polls, 'silent').toBe(polls);
    poll(1);
    expect(run.polls, 'now and then all are polled').toBe(polls + 1);

    fs.appendFileSync(file, 'a line\n');
    await vi.waitFor(() => expect(printed).toHaveBeenCalledExactlyOnceWith(run), 10_000);
    fs.appendFileSync(file, 'more\n');
    poll(1);
    expect(printed).toHaveBeenCalledTimes(2);
    expect(fellSilent, 'it has not printed before').not.toHaveBeenCalled();
    poll(2);
    expect(fellSilent).not.toHaveBeenCalled();
    poll(1);
    expect(fellSilent).toHaveBeenCalledExactlyOnceWith(run);
  } finally {
    output.close();
    fs.rmSync(folder, { recursive: true });
  }
});

test('a run whose log cannot be watched goes on being polled', () => {
  const run = new FileRun('/no/such/log');
  const output = new OutputPoll<FileRun>({ printed() {}, fellSilent() {} });
  output.add(run);
  for (let n = 0; n < 10; n += 1) output.poll();
  expect(run.polls).toBe(10);
  output.close();
});
