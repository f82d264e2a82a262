import { maskedArguments } from '../identity/command-line.js';
import type { Frame } from './frames.js';

/** How src/run/launch/start-shim.ts starts a shim: the judge looks for these words. */
const shim = Buffer.from('-c\0eval "$UNSTUCK_SHIM"\0unstuck\0');

/** As a snapshot shows it: secrets are masked, and long command lines are cut. */
function maskCommand(bytes: Buffer): Buffer {
  const at = bytes.indexOf(shim);
  if (at >= 0) return bytes.subarray(0, at + shim.length);
  return Buffer.from(maskedArguments(bytes));
}

/** Sources and options of mounts may contain names and passwords of servers. */
function maskMounts(bytes: Buffer): Buffer {
  const lines = bytes.toString('utf8').split('\n');
  return Buffer.from(lines.map((line) => line.replace(/( - \S+).*$/, '$1')).join('\n'));
}

/** A frame as it may be stored and sent. The environment is never in a capture. */
export function maskFrame(frame: Frame): Frame {
  if (frame.letter !== 'f') return frame;
  if (/^\/proc\/\d+\/cmdline$/.test(frame.name)) return { ...frame, bytes: maskCommand(frame.bytes) };
  if (frame.name.endsWith('/mountinfo')) return { ...frame, bytes: maskMounts(frame.bytes) };
  return frame;
}
