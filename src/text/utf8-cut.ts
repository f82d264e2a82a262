/** Bytes at the end that begin an incomplete UTF-8 character, 0 to 3. Invalid bytes are not held back. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count] as number;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > count && isSecond(byte, bytes[bytes.length - count + 1]) ? count : 0;
  }
  return 0;
}

/** Bytes at the beginning that belong to a character before them, 0 to 3. */
export function continuedBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && count < bytes.length && isContinuation(bytes[count] as number)) count++;
  return count;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function lengthOf(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 1;
}

/** RFC 3629, section 4: after these four bytes the range of the second byte is smaller. */
function isSecond(first: number, second: number | undefined): boolean {
  if (second === undefined) return true;
  if (first === 0xe0) return second >= 0xa0;
  if (first === 0xed) return second <= 0x9f;
  if (first === 0xf0) return second >= 0x90;
  return first !== 0xf4 || second <= 0x8f;
}
