import fs from 'node:fs';
import { expect, it } from 'vitest';
import { PassingWriter } from '../../../src/cli/output/passing-writer.js';

const noFile = { file: -1, at: 0, length: 5 };

it.each([
  ['/dev/null', 5],
  ['/dev/zero', 0],
])('what is sent to %s: %s of 5 bytes that cannot be read', async (device, sent) => {
  const fd = fs.openSync(device, 'w');
  try {
    expect(await new PassingWriter(fd).send(noFile)).toBe(sent);
  } finally {
    fs.closeSync(fd);
  }
});
