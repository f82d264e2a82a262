import { readFileSync } from 'node:fs';
import type { ScreenView } from '../../../src/diagnose/screen/screen-view.js';
import { TerminalScreen, viewOf } from '../../../src/diagnose/screen/terminal-screen.js';

export const size = { rows: 30, columns: 120 };

/** Bytes that a real program wrote to its terminal: `agents/claude-2.1.325-asks`, `programs/dialog`. */
export function recordedScreen(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/screens/${name}.raw`, import.meta.url));
}

/** What a terminal shows after these bytes. */
export function viewAfter(bytes: Uint8Array | string, of = size): ScreenView {
  const screen = new TerminalScreen(of);
  screen.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return viewOf(screen);
}

/** Rows with text. */
export function rowsAfter(bytes: Uint8Array | string, of = size): string[] {
  return viewAfter(bytes, of).lines.filter((line) => line !== '');
}
