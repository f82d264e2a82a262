/** The control flow after an instruction; `ends`: the next instruction is reached in another way only. */
export const flow = { on: 0, jump: 1, ends: 2, jumpAndEnds: 3, unknown: 4 } as const;

const isPrefix = new Uint8Array(256);
for (const byte of [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3]) isPrefix[byte] = 1;

/**
 * Opcodes of one byte. m: a ModRM byte follows; M, N: and a constant of one byte, or of full length; 1, 2, 3, q: only a
 * constant; v, Q: a constant of full length; g, G: with a constant for some; - and .: nothing follows; x: not valid.
 */
const oneByte = [
  'mmmm1vxxmmmm1vxx',
  'mmmm1vxxmmmm1vxx',
  'mmmm1v-xmmmm1v-x',
  'mmmm1v-xmmmm1v-x',
  '----------------',
  '................',
  'xxxm----vN1M....',
  '1111111111111111',
  'MNxMmmmmmmmmmmmm',
  '..........x.....',
  'qqqq....1v......',
  '11111111QQQQQQQQ',
  'MM2.xxMN3.2..1x.',
  'mmmmxxx.mmmmmmmm',
  '11111111vvx1....',
  '.x....gG......mm',
].join('');

/** Opcodes after 0F: those without a ModRM byte, with a constant of one byte, and jumps; all others have a ModRM byte. */
const plain0f: ReadonlySet<number> = new Set([
  0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x37, 0x77, 0xa0, 0xa1, 0xa2,
  0xa8, 0xa9, 0xaa, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf,
]);
const byte0f: ReadonlySet<number> = new Set([
  0x70, 0x71, 0x72, 0x73, 0xa4, 0xac, 0xba, 0xc2, 0xc4, 0xc5, 0xc6,
]);

const constants: Partial<Record<string, number>> = { 1: 1, 2: 2, 3: 3, q: 8 };

/**
 * Reads x86-64 code instruction by instruction, as far as it matters where each leads to. Its fields hold the last
 * instruction: a program has a million, and an object for each would cost more than all the rest.
 */
export class CodeReader {
  readonly #code: Buffer;
  readonly #address: number;
  #at = 0;
  #named = 0;
  #reg = 0;
  length = 0;
  flow: (typeof flow)[keyof typeof flow] = flow.on;
  /** Address that the instruction names relative to itself: of a call, a jump, or a variable; 0: none. */
  target = 0;

  /** Code that lies at an address. */
  constructor(code: Buffer, address: number) {
    this.#code = code;
    this.#address = address;
  }

  /** The instruction at an offset; false: not known. */
  read(offset: number): boolean {
    const code = this.#code;
    this.#at = offset;
    this.#named = 0;
    this.flow = flow.on;
    this.target = 0;
    let short = false;
    while (isPrefix[this.#byte()] === 1) {
      if (this.#byte() === 0x66) short = true;
      this.#at += 1;
      if (this.#at - offset > 8) return false;
    }
    const rex = this.#byte() >> 4 === 4 ? this.#next() : 0;
    const opcode = this.#next();
    let bytes = 4;
    if (opcode === 0x0f) bytes = this.#twoBytes();
    else if (opcode === 0xc5 || opcode === 0xc4) {
      if (!this.#vex(opcode)) return false;
    } else bytes = this.#single(opcode, short ? 2 : 4, (rex & 8) !== 0);
    if (bytes === 0 || this.#at > code.length) return false;
    this.length = this.#at - offset;
    if (this.#named > 0) {
      const distance = bytes === 1 ? code.readInt8(this.#named) : code.readInt32LE(this.#named);
      this.target = this.#address + this.#at + distance;
    }
    return true;
  }

  #byte(): number {
    return this.#code[this.#at] ?? 0;
  }

  #next(): number {
    const byte = this.#byte();
    this.#at += 1;
    return byte;
  }

  #relative(bytes: 1 | 4, how: (typeof flow)[keyof typeof flow]): number {
    this.#named = this.#at;
    this.#at += bytes;
    this.flow = how;
    return bytes;
  }

  /** A ModRM byte with the bytes that belong to it. */
  #modRm(): void {
    const byte = this.#next();
    const mode = byte >> 6;
    const rm = byte & 7;
    this.#reg = (byte >> 3) & 7;
    if (mode === 3) return;
    const base = rm === 4 ? this.#next() & 7 : rm;
    if (mode === 0 && rm === 5) this.#named = this.#at;
    if (mode === 1) this.#at += 1;
    else if (mode === 2 || (mode === 0 && base === 5)) this.#at += 4;
  }

  /** The size in bytes of the named operand; 0: not known. */
  #single(opcode: number, constant: number, isWide: boolean): number {
    if (opcode === 0xe8) return this.#relative(4, flow.on);
    if (opcode === 0xe9) return this.#relative(4, flow.jumpAndEnds);
    if (opcode === 0xeb) return this.#relative(1, flow.jumpAndEnds);
    if (opcode >> 4 === 7 || (opcode >= 0xe0 && opcode <= 0xe3)) return this.#relative(1, flow.jump);
    if (opcode === 0xc3 || opcode === 0xc2) this.flow = flow.ends;
    const kind = oneByte[opcode] ?? 'x';
    if (kind === 'x') return 0;
    if (kind === '.' || kind === '-') return 4;
    const bytes = constants[kind];
    if (bytes !== undefined) this.#at += bytes;
    else if (kind === 'v') this.#at += constant;
    else if (kind === 'Q') this.#at += isWide ? 8 : constant;
    else {
      this.#modRm();
      if (kind === 'M' || (kind === 'g' && this.#reg < 2)) this.#at += 1;
      else if (kind === 'N' || (kind === 'G' && this.#reg < 2)) this.#at += constant;
      if (opcode === 0xff && (this.#reg === 4 || this.#reg === 5)) this.flow = flow.unknown;
    }
    return 4;
  }

  #twoBytes(): number {
    const opcode = this.#next();
    if (opcode >> 4 === 8) return this.#relative(4, flow.jump);
    if (opcode === 0x38 || opcode === 0x3a) {
      this.#at += 1;
      this.#modRm();
      if (opcode === 0x3a) this.#at += 1;
      return 4;
    }
    if (plain0f.has(opcode)) {
      if (opcode === 0x0b) this.flow = flow.ends;
      return 4;
    }
    this.#modRm();
    if (byte0f.has(opcode)) this.#at += 1;
    return 4;
  }

  #vex(opcode: number): boolean {
    const map = opcode === 0xc5 ? 1 : this.#byte() & 0x1f;
    this.#at += opcode === 0xc5 ? 1 : 2;
    const operation = this.#next();
    if (map < 1 || map > 3) return false;
    if (map === 1 && operation === 0x77) return true;
    this.#modRm();
    if (map === 3 || (map === 1 && byte0f.has(operation))) this.#at += 1;
    return true;
  }
}
