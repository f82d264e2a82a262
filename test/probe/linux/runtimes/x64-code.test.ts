import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { CodeReader, flow } from '../../../../src/probe/linux/runtimes/x64-code.js';

const at = 0x401000;

describe('an instruction of x86-64', () => {
  test.each<[about: string, hex: string, length: number, target: number, how: number]>([
    ['ret', 'c3', 1, 0, flow.ends],
    ['call', 'e8 10 00 00 00', 5, at + 5 + 16, flow.on],
    ['jmp back', 'eb fe', 2, at, flow.jumpAndEnds],
    ['je', '0f 84 00 01 00 00', 6, at + 6 + 256, flow.jump],
    ['lea rax, [rip + 0x20]', '48 8d 05 20 00 00 00', 7, at + 7 + 32, flow.on],
    ['lock xadd [rip + 8], ecx', 'f0 0f c1 0d 08 00 00 00', 8, at + 8 + 8, flow.on],
    ['mov dword [rip + 4], 1', 'c7 05 04 00 00 00 01 00 00 00', 10, at + 10 + 4, flow.on],
    ['mov rax, imm64', '48 b8 01 02 03 04 05 06 07 08', 10, 0, flow.on],
    ['mov [rsp + 0x40], rax', '48 89 44 24 40', 5, 0, flow.on],
    ['test byte [rax], 1', 'f6 00 01', 3, 0, flow.on],
    ['vpxor ymm0, ymm0, ymm0', 'c5 fd ef c0', 4, 0, flow.on],
    ['jmp rax', 'ff e0', 2, 0, flow.unknown],
  ])('%s', (_, hex, length, target, how) => {
    const reader = new CodeReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'), at);
    expect(reader.read(0)).toBe(true);
    expect({ length: reader.length, target: reader.target, how: reader.flow }).toEqual({
      length,
      target,
      how,
    });
  });

  test.prop([fc.uint8Array({ minLength: 1, maxLength: 20 })])(
    'never ends beyond the code, whatever the bytes',
    (bytes) => {
      const reader = new CodeReader(Buffer.from(bytes), at);
      if (reader.read(0)) {
        expect(reader.length).toBeGreaterThan(0);
        expect(reader.length).toBeLessThanOrEqual(bytes.length);
      }
    },
  );
});
