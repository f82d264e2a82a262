import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandOfBytes } from '../../src/control/command-of-bytes.js';
import { nothingInherited } from '../../src/model/run/inherited.js';

it('arguments that are not UTF-8 reach a command in the background through a shell that becomes it', () => {
  const words = new Map([
    [3, Buffer.from([0x61, 0xff, 0x0a])],
    [5, Buffer.from([0xc0, 0x27, 0x22, 0x24, 0x5c, 0x0a, 0x0a])],
  ]);
  const command = ['env', 'printf', '%s|', 'a\ufffd\n', "ü'$(id)", '\ufffd', ''];
  const found = commandOfBytes(command, { ...nothingInherited, bytes: { env: [], words } });
  const [file = '', ...rest] = found?.command ?? [];
  const expected = command.slice(3).map((word, index) => words.get(index + 3) ?? Buffer.from(word));
  expect(execFileSync(file, rest)).toEqual(
    Buffer.concat(expected.flatMap((word) => [word, Buffer.from('|')])),
  );
  expect(found?.label).toBe('env-printf');
  expect(commandOfBytes(command, nothingInherited)).toBeNull();
});
