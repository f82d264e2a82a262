import { askWhy } from '../../../control/client/ask-why.js';
import { RunFeed } from '../../../control/client/run-feed.js';
import { ownHome } from '../../../control/local/own-home.js';
import { matchesRun } from '../../../model/run/match-run.js';
import { useColor } from '../../output/color.js';
import { LiveScreen } from '../../output/live-screen.js';
import type { Call } from '../../shared/call.js';
import { shortId } from '../../shared/short-id.js';
import { killLine } from '../kill/render.js';
import { orderRuns } from '../ps/order-runs.js';
import { ownCaller } from '../restart/restart.js';
import { renderAnswer } from '../why/render.js';
import { topLines } from './render.js';
import { type Act, freshTop, type Mode, press, type Top } from './state.js';
import { whyLines } from './text-views.js';
import { type TopView, tableRows, textRows } from './view.js';

const clockMs = 1000;

/** The table on the whole terminal, until q or Ctrl-C. */
export class LiveTop {
  readonly #call: Call;
  readonly #ended = new AbortController();
  readonly #screen: LiveScreen;
  readonly #feed: RunFeed;
  #top: Top = freshTop;
  #away = '';
  #trouble: string | null = null;
  #isReadingLog = false;
  /** The last answer. */
  #why = '';

  constructor(call: Call) {
    this.#call = call;
    this.#screen = new LiveScreen({
      pressed: (key, isPasted) => this.#pressed(key, isPasted),
      resized: () => this.#resized(),
      ended: () => this.#ended.abort(),
    });
    this.#feed = new RunFeed((name, data) => this.#told(name, data), {
      home: ownHome(process.env),
      env: process.env,
    });
  }

  async show(): Promise<void> {
    const clock = setInterval(() => this.#draw(), clockMs);
    try {
      this.#draw();
      await this.#feed.follow(this.#ended.signal);
    } finally {
      clearInterval(clock);
      this.#screen.close();
    }
  }

  #told(name: 'runs' | 'away' | 'back', data: object): void {
    if (name === 'away') this.#away = (data as { reason: string }).reason;
    if (name === 'back') this.#away = '';
    if (name === 'runs') this.#trouble = (data as { trouble: string | null }).trouble;
    const { mode } = this.#top;
    if (name === 'runs' && mode.kind === 'log' && mode.from === null)
      void this.#readLog(mode.id, null).catch(() => {});
    this.#draw();
  }

  #view(): TopView {
    const { columns, rows } = this.#screen;
    const known = this.#feed.whole?.runs ?? null;
    const runs = orderRuns(known ?? []).filter((run) => matchesRun(run, this.#top.find));
    const trouble =
      this.#away !== ''
        ? `${this.#away}; what you see is old`
        : this.#trouble === null
          ? ''
          : `the daemon has trouble: ${this.#trouble}`;
    return { columns, rows, color: useColor(), nowMs: Date.now(), all: known, runs, trouble };
  }

  #resized(): void {
    const { mode } = this.#top;
    if (mode.kind === 'why' && mode.lines !== null) this.#showWhy(mode);
    else if (mode.kind === 'log') void this.#readLog(mode.id, mode.from).catch(() => {});
    this.#draw();
  }

  #draw(): void {
    this.#screen.draw(topLines(this.#top, this.#view()));
  }

  #pressed(key: string, isPasted: boolean): void {
    const { runs, rows } = this.#view();
    const room = this.#top.mode.kind === 'table' ? tableRows(rows) : textRows(rows);
    const { top, act } = press(this.#top, key, { runs, rows: room, nowMs: Date.now(), isPasted });
    this.#top = top;
    this.#draw();
    if (act !== null) void this.#act(act).catch((error: Error) => this.#message(error.message));
  }

  #message(message: string): void {
    this.#top = { ...this.#top, message };
    this.#draw();
  }

  async #act(act: Act): Promise<void> {
    switch (act.kind) {
      case 'quit':
        return this.#ended.abort();
      case 'suspend':
        return this.#screen.suspend();
      case 'redraw':
        return this.#screen.redraw();
      case 'why':
        return this.#readWhy(act.id);
      case 'log':
        return this.#readLog(act.id, act.from);
      case 'stop':
        return this.#message(killLine(await this.#call('kill', { id: act.id })));
      case 'again': {
        const { id, label } = await this.#call('rerun', { id: act.id, ...ownCaller() });
        this.#top = { ...this.#top, chosen: id };
        return this.#message(`started ${label} (${shortId(id)})`);
      }
      case 'answer': {
        const { delivered } = await this.#call('submit', { id: act.id, data: act.text });
        return this.#message(
          delivered === true
            ? 'the command has read the answer'
            : 'the answer is kept for the command, which has not read it yet',
        );
      }
    }
  }

  async #readWhy(id: string): Promise<void> {
    const text = await askWhy(id, { env: process.env, signal: this.#ended.signal }).then(
      (answer) => renderAnswer(answer, false),
      (error: Error) => error.message,
    );
    const { mode } = this.#top;
    if (mode.kind !== 'why' || mode.id !== id) return;
    this.#why = text;
    this.#showWhy(mode);
  }

  #showWhy(mode: Mode & { kind: 'why' }): void {
    this.#top = { ...this.#top, mode: { ...mode, lines: whyLines(this.#why, this.#screen.columns) } };
    this.#draw();
  }

  /** Never more than a screenful, of a log of any length. */
  async #readLog(id: string, from: number | null): Promise<void> {
    if (this.#isReadingLog) return;
    this.#isReadingLog = true;
    try {
      const limit = textRows(this.#screen.rows);
      const page = await this.#call('log', {
        ...{ id, limit, plain: true },
        ...(from !== null && { offset: from }),
      });
      const { mode } = this.#top;
      if (mode.kind === 'log' && mode.id === id) this.#top = { ...this.#top, mode: { ...mode, page } };
    } finally {
      this.#isReadingLog = false;
    }
    this.#draw();
    // Keys that were pressed meanwhile.
    const { mode } = this.#top;
    if (mode.kind === 'log' && mode.from !== from) await this.#readLog(mode.id, mode.from);
  }
}
