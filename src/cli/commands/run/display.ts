import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunSettings } from '../../../config/run-settings.js';
import { type FilePiece, githubError, type RunHandle } from '../../../control/run.js';
import type { RetryEvent, RunEvent, RunReport, Stream } from '../../../model/run/run.js';
import { jsonText } from '../../../text/json-text.js';
import { isDumb } from '../../output/color.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { StatusLine } from '../../output/status-line.js';
import { endLines, explanationIn, flakyLine } from './render-end.js';
import { renderStatus } from './render-heartbeat.js';
import { renderRunEvent } from './render-run-event.js';
import type { KeptTerminal } from './terminal.js';

/** Nothing is reported about a command that ends within this time. */
const quietStartMs = 1000;
/** After the tree was stopped, unread output is waited for this long. */
const unreadMs = 2000;

const newline = 10;

/** The cursor is moved to a place on the screen, or another screen is shown: lines would damage what is drawn. */
const drawing = /\x1b\[(?:\d*;?\d*[Hf]|\?(?:1049|1047|47)h)/;

interface DisplayPlace {
  /** stdout and stderr lead to the same place. */
  isOneOutput: boolean;
  /** The terminal that we share with the command; null: none. */
  kept: KeptTerminal | null;
}

type Mode = 'json' | 'live' | 'lines' | 'none';

function modeOf({ json, status }: RunSettings): Mode {
  if (json) return 'json';
  const mode = status !== 'auto' ? status : process.stderr.isTTY ? 'live' : 'lines';
  return mode === 'live' && isDumb() ? 'lines' : mode;
}

/** Everything a run prints: the bytes of the command unchanged, and our messages on stderr. */
export class RunDisplay {
  readonly #mode: Mode;
  readonly #handle: RunHandle;
  readonly #writers: Record<Stream, PassingWriter> = {
    stdout: new PassingWriter(1),
    stderr: new PassingWriter(2),
  };
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  readonly #status: StatusLine | null;
  readonly #isOneOutput: boolean;
  readonly #kept: KeptTerminal | null;
  /** The command has drawn on the terminal that it shares with us. */
  #isDrawn = false;
  /** The command has asked at the terminal that it shares with us: no line may be drawn where the answer is typed. */
  #hasAsked = false;
  /** Lines that wait until the terminal is free. */
  #held: string[] = [];
  /** The command has left a line unfinished where we write next. */
  #inLine = false;
  /** The first lines, held back until there is a reason to print. */
  #first: string[] = [];
  #firstTimer: NodeJS.Timeout | null = null;
  #hasReported = false;
  /** What was last printed about the state of the command: it is not repeated at the end. */
  #said: string | null = null;
  /** Why output of the command could not be written, such as EPIPE; null: everything was written so far. */
  writeError: string | null = null;

  constructor(settings: RunSettings, handle: RunHandle, { isOneOutput, kept }: DisplayPlace) {
    this.#isOneOutput = isOneOutput;
    this.#kept = kept;
    this.#mode = modeOf(settings);
    this.#handle = handle;
    this.#status =
      this.#mode === 'live'
        ? new StatusLine(
            (text) => this.#write(text),
            (columns) => (this.#mayPrint() && !this.#hasAsked ? renderStatus(handle.pulse(), columns) : null),
          )
        : null;
  }

  /** Output is blocked because the reader does not read. */
  get isBlocked(): boolean {
    return Object.values(this.#writers).some(({ blockedMs }) => blockedMs > 0);
  }

  async output(stream: Stream, chunk: Buffer): Promise<void> {
    if (this.#mode === 'json') {
      const text = this.#decoders[stream].decode(chunk, { stream: true });
      return this.#json({ at: new Date().toISOString(), kind: 'output', stream, text });
    }
    if (this.#isOneOutput || stream === 'stderr') this.#inLine = chunk[chunk.length - 1] !== newline;
    this.#isDrawn ||= this.#kept !== null && drawing.test(chunk.toString('latin1'));
    const room = this.#status?.makeRoom(chunk) ?? '';
    try {
      if (room !== '') await this.#writers.stderr.write(Buffer.from(room));
      await this.#writers[stream].write(chunk);
    } catch (error) {
      this.writeError ??= (error as NodeJS.ErrnoException).code ?? null;
      throw error;
    }
  }

  /** Copies bytes of the log without reading them; returns their number. 0: `output` must get them. */
  async outputFrom(stream: Stream, piece: FilePiece): Promise<number> {
    if (this.#mode === 'json' || this.#status !== null) return 0;
    const sent = await this.#writers[stream].send(piece);
    if (sent > 0 && (this.#isOneOutput || stream === 'stderr')) {
      const last = Buffer.alloc(1);
      fs.readSync(piece.file, last, 0, 1, piece.at + sent - 1);
      this.#inLine = last[0] !== newline;
    }
    return sent;
  }

  event(event: RunEvent): void {
    if (event.kind === 'killed') setInterval(() => this.hurry(unreadMs), unreadMs / 4).unref();
    if (this.#mode === 'json') {
      if (event.kind === 'exited') this.#flush();
      this.#json(event).catch(() => {});
      return;
    }
    // Always printed: otherwise a project file could hide its settings.
    if (event.kind === 'project-settings') {
      this.#print(renderRunEvent(event, this.#handle.label));
      return;
    }
    if (this.#mode === 'none' || (this.#mode === 'live' && event.kind === 'heartbeat')) return;
    this.#hasAsked ||= this.#kept !== null && event.kind === 'needs-input';
    if (this.#kept !== null && this.#isSeen(event)) return;
    const lines = renderRunEvent(event, this.#handle.label);
    this.#said = explanationIn(event) ?? this.#said;
    if (event.kind !== 'started') {
      if (lines.length > 0) this.#report(lines);
    } else if (this.#mode === 'lines') this.#reportLater(lines);
  }

  /** Called at the end: output that was not read for this long is dropped. */
  hurry(unreadForMs = 0): void {
    for (const writer of Object.values(this.#writers)) {
      if (writer.blockedMs > unreadForMs) writer.giveUp();
    }
  }

  /** Prints the end; resolves when everything is written. */
  async end(report: RunReport, retry: RetryEvent | null): Promise<void> {
    if (this.#firstTimer !== null) clearTimeout(this.#firstTimer);
    const { exitCode, outcome } = report;
    const failed = exitCode !== 0 || outcome !== 'exited';
    if (
      this.#mode !== 'json' &&
      this.#mode !== 'none' &&
      failed &&
      retry === null &&
      (this.#hasReported || !this.#isOwnEnd(outcome))
    ) {
      this.#report(endLines(report, this.#said));
    }
    if (report.flaky && this.#mode !== 'json' && this.#mode !== 'none') this.#report([flakyLine(report)]);
    if (retry !== null) this.event(retry);
    if (this.#held.length > 0) this.#print([]);
    this.#status?.end();
    const isOwn = outcome === 'exited' && !report.flaky;
    const annotation = this.#mode === 'json' || isOwn || retry !== null ? null : githubError(report);
    if (annotation !== null) this.#write(`${annotation}\n`);
    const written = Object.values(this.#writers).map((writer) =>
      writer.write(Buffer.alloc(0)).catch(() => {}),
    );
    await Promise.race([Promise.all(written), delay(unreadMs, undefined, { ref: false })]);
  }

  /** A person at the terminal sees the start and a question; a heartbeat must not be written beside a question. */
  #isSeen({ kind }: RunEvent): boolean {
    if (kind === 'heartbeat') return this.#inLine || this.#hasAsked || !this.#mayPrint();
    return kind === 'needs-input' || kind === 'started';
  }

  /** At a terminal that we share with it, Ctrl-C is between a person and the command. */
  #isOwnEnd(outcome: RunReport['outcome']): boolean {
    return outcome === 'exited' || (this.#kept !== null && outcome === 'interrupted');
  }

  /** false: the command has the whole screen, or reads single keys. */
  #mayPrint(): boolean {
    const kept = this.#kept;
    return kept === null || !kept.isRaw || (!this.#isDrawn && kept.isCooked());
  }

  /** Flushes a character that was incomplete at the end. */
  #flush(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = this.#decoders[stream].decode();
      const at = new Date().toISOString();
      if (text !== '') this.#json({ at, kind: 'output', stream, text }).catch(() => {});
    }
  }

  #reportLater(lines: string[]): void {
    this.#first = lines;
    this.#firstTimer = setTimeout(() => this.#report([]), quietStartMs);
    this.#firstTimer.unref();
  }

  #report(lines: string[]): void {
    const all = [...this.#first, ...lines];
    this.#first = [];
    if (all.length === 0) return;
    this.#hasReported = true;
    this.#print(all);
  }

  #print(lines: string[]): void {
    this.#held.push(...lines);
    if (!this.#mayPrint()) return;
    const end = this.#kept?.isRaw === true ? '\r\n' : '\n';
    const text = [...(this.#inLine ? [''] : []), ...this.#held.splice(0), ''].join(end);
    this.#inLine = false;
    if (this.#status !== null) this.#status.print(text);
    else this.#write(text);
  }

  /** Prints our own messages; if they cannot be written, the command goes on. */
  #write(text: string): void {
    this.#writers.stderr.write(Buffer.from(text)).catch(() => {});
  }

  #json(event: RunEvent): Promise<void> {
    return this.#writers.stdout.write(Buffer.from(`${jsonText(event)}\n`));
  }
}
