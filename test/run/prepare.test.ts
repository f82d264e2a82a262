import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { commandLine, labelOf } from '../../src/run/prepare.js';

describe('what a run is called', () => {
  it.each([
    [['npm', 'test'], 'npm-test'],
    [['/usr/bin/cargo', 'build', '--release'], 'cargo-build'],
    [['sh', '-c', 'echo a b'], 'sh'],
    [['./my script.sh'], 'my-script.sh'],
    [['python3', '/home/somebody/x.py'], 'python3'],
    [['\u0007'], '-'],
  ])('%j is %s', (command, label) => {
    expect(labelOf(command)).toBe(label);
  });

  test.prop([fc.array(fc.string({ unit: 'binary' }))])('a label is always a single word', (command) => {
    expect(labelOf(command)).toMatch(/^[\w.:@+-]+$/);
  });

  it('masks secrets and quotes what a shell would split', () => {
    expect(commandLine(['curl', '-H', 'Authorization: Bearer abcdef123456', 'https://x.y'])).toBe(
      "curl -H 'Authorization: Bearer ***' https://x.y",
    );
    expect(commandLine(['sh', '-c', "echo 'a'"])).toBe(String.raw`sh -c 'echo '\''a'\'''`);
  });
});
