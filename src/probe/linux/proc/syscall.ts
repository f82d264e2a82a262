/** A line of /proc/TID/syscall, before its arguments are decoded. */
export type SyscallLine =
  | { at: 'running' }
  | { at: 'outside' }
  | { at: 'call'; number: number; args: bigint[]; line: string };

/** `nr a0 … a5 sp pc`, or `running`, or `-1 sp pc` (blocked outside a call; zeros for a zombie). */
export function parseSyscall(text: string): SyscallLine | null {
  const line = text.trim();
  if (line === 'running') return { at: 'running' };
  const fields = line.split(' ');
  const number = Number(fields[0]);
  if (!Number.isInteger(number)) return null;
  if (number === -1) return { at: 'outside' };
  if (fields.length < 7) return null;
  const args = fields.slice(1, 7);
  if (!args.every((arg) => /^0x[0-9a-f]{1,16}$/.test(arg))) return null;
  return { at: 'call', number, args: args.map(BigInt), line };
}

/**
 * restart_syscall stands for a call that a stop interrupted; only these four calls use it, and their arguments are
 * still in the registers.
 */
export function resumedName(args: readonly bigint[]): 'nanosleep' | 'clock_nanosleep' | 'futex' | 'poll' {
  const [first = 0n, second = 0n, , fourth = 0n] = args;
  if (first < 64n) return 'clock_nanosleep';
  if (second === 0n || second > 0xffffn) return 'nanosleep';
  const futexCommand = second & 0x7fn;
  const isFutex = (futexCommand === 0n || futexCommand === 9n) && fourth > 0xffffn;
  return isFutex ? 'futex' : 'poll';
}
