import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Verdict } from '../../../src/model/verdict.js';
import { AgentMonitor } from '../../../src/run/health/agent-monitor.js';
import { ScreenMonitor } from '../../../src/run/health/screen-monitor.js';
import { observe, verdictOf } from '../../diagnose/health/observe.js';
import { recordedScreen } from '../../diagnose/screen/read-screen.js';

const header = 'a header\n';
const frame = (glyph: string) => `\x1b[H\x1b[J${glyph} Which one?\r\n❯ first\r\n  second\r\n`;

let folder: string;
let log: string;
let nowMs: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'unstuck-screen-'));
  log = path.join(folder, 'output.log');
  writeFileSync(log, header, { mode: 0o600 });
  nowMs = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const watch = () => new ScreenMonitor({ path: log, start: header.length });

/** Prints, and looks five seconds later. */
function tick(screen: ScreenMonitor, bytes: string | Buffer, agent: AgentMonitor | null = null): void {
  appendFileSync(log, bytes);
  nowMs += 5000;
  screen.update(null, agent);
}

const reading = (verdict: Verdict): Verdict => ({ ...verdict, readsTerminal: true });
const printed = (verdict: Verdict | null) => observe().tick({ printed: true, verdict, canAnswer: true });

describe('the screen of a run', () => {
  it('a log is not rendered', () => {
    const screen = watch();
    tick(screen, 'Continue? [y/N]\r\n\x1b[31mred\x1b[0m\r\n');
    expect([screen.isPainted, screen.claim]).toEqual([false, null]);
  });

  it('a question under a spinner wants a snapshot once it has stood still', () => {
    const screen = watch();
    tick(screen, frame('⠋'));
    expect(screen.wantsSnapshot).toBe(false);
    tick(screen, frame('⠙'));
    expect(screen.claim).toMatchObject({ shows: 'asks', text: 'Which one?', forMs: 5000 });
    expect(screen.wantsSnapshot).toBe(true);
  });

  it('what a snapshot showed holds for the same screen, and is asked again after a while', () => {
    const screen = watch();
    tick(screen, frame('⠋'));
    tick(screen, frame('⠙'));
    expect(screen.refine(printed(reading(verdictOf('needs-input'))), true).needsAnswer).toBe(true);
    tick(screen, frame('⠹'));
    expect(screen.wantsSnapshot).toBe(false);
    expect(screen.refine(printed(null), true)).toMatchObject({
      needsAnswer: true,
      reason: 'node asks: "Which one?"',
    });
    nowMs += 30_000;
    tick(screen, frame('⠹'));
    expect(screen.wantsSnapshot).toBe(true);
  });

  it('a thread that paints at the moment of a snapshot does not take the question back', () => {
    const screen = watch();
    tick(screen, frame('⠋'));
    tick(screen, frame('⠙'));
    screen.refine(printed(reading(verdictOf('service'))), true);
    tick(screen, frame('⠹'));
    expect(screen.refine(printed(verdictOf('working')), true).needsAnswer).toBe(true);
  });

  it('another screen needs another snapshot', () => {
    const screen = watch();
    tick(screen, frame('⠋'));
    tick(screen, frame('⠙'));
    screen.refine(printed(reading(verdictOf('needs-input'))), true);
    tick(screen, '\x1b[H\x1b[Jinstalling\r\n');
    expect(screen.refine(printed(null), true).needsAnswer).toBe(false);
  });

  it('of more output than can be rendered, the end is', () => {
    const screen = watch();
    tick(screen, `${frame('⠋')}${'x'.repeat(3_000_000)}${frame('⠋')}`);
    expect(screen.claim).toMatchObject({ shows: 'asks' });
  });

  it('a log that became shorter, or is gone, shows nothing old', () => {
    const screen = watch();
    tick(screen, frame('⠋'));
    truncateSync(log, header.length);
    tick(screen, 'plain\r\n');
    expect(screen.claim).toBeNull();
    rmSync(log);
    nowMs += 5000;
    screen.update(null, null);
    expect(screen.claim).toBeNull();
  });

  it('an agent is read by its own table, and its facts have what it shows', () => {
    const settings = { agent: 'auto', agentPatienceMs: 30_000, quietEnv: true } as const;
    const agent = AgentMonitor.of(['claude'], settings as never);
    const screen = watch();
    tick(screen, recordedScreen('agents/claude-2.1.325-thinking'), agent);
    tick(screen, '', agent);
    expect(agent?.facts().screen).toEqual({ shows: 'thinking', text: '', forMs: 5000 });
    expect(screen.wantsSnapshot).toBe(false);
    expect(screen.refine(printed(null), true).reason).toBe('claude waits for its model since 5 s');
  });
});
