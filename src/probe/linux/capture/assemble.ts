import type { AbsenceReason } from '../../../model/facts/absence.js';
import { type Capture, emptyReading, type Reading } from './capture.js';
import { badCapture, type Frame } from './frames.js';
import { parseLinks } from './links.js';
import { splitThreads } from './thread-files.js';

const reasons: Record<string, AbsenceReason> = { denied: 'not-permitted', gone: 'gone', limit: 'limit' };

/** Numbers of a directory: at most as many as a process may have open. */
const numbersMax = 100_000;

/** A file that fills the limit of the collector was cut. */
const fileBytesMax = 8 * 1024 * 1024;

function numbersIn(bytes: Buffer): number[] {
  const words = bytes.toString('latin1').split(/\s+/, numbersMax);
  return words.filter((word) => /^\d{1,10}$/.test(word)).map(Number);
}

/** Puts frames together. Throws a Failure when they are not whole. */
class Assembly {
  readonly #capture: Capture;
  #reading: Reading;
  #isComplete = false;
  #hasMachine = false;

  constructor(targetPid: number) {
    const first = emptyReading();
    this.#capture = {
      targetPid,
      reader: { pid: 0, kernel: '', machine: '' },
      realtimeMs: 0,
      uptimeMs: 0,
      gapMs: 0,
      first,
      second: emptyReading(),
      memory: new Map(),
      clocks: new Map(),
      ss: null,
      skipped: new Set(),
      cut: false,
    };
    this.#reading = first;
  }

  add({ letter, name, bytes }: Frame): void {
    if (this.#isComplete) throw badCapture('it goes on after its end');
    const take = Object.hasOwn(this.#takers, letter) ? this.#takers[letter] : undefined;
    if (take === undefined) throw badCapture('it has frames of an unknown kind');
    take(name, bytes);
  }

  /** By the letters of collector.ts. */
  readonly #takers: Record<string, (name: string, bytes: Buffer) => void> = {
    f: (name, bytes) => this.#addFile(name, bytes),
    n: (name, bytes) => this.#addOnce(this.#reading.lists, name, numbersIn(bytes)),
    l: (_, bytes) => {
      for (const { path, ...link } of parseLinks(bytes.toString('utf8')))
        this.#addOnce(this.#reading.links, path, link);
    },
    t: (name, bytes) => this.#addThreads(name, bytes),
    m: (name, bytes) => this.#addMemory(name, bytes),
    c: (name, bytes) => this.#addClocks(Number(name), bytes.toString('latin1')),
    x: (name) => this.#addAbsent(name),
    i: (name, bytes) => this.#addFacts(name, bytes.toString('utf8')),
    d: (name) => this.#drop(name),
    z: (name) => {
      this.#capture.gapMs = this.#sinceStart(name);
      this.#reading = this.#capture.second;
    },
    e: () => {
      this.#isComplete = this.#reading === this.#capture.second;
    },
  };

  finish(): Capture {
    if (!this.#hasMachine) throw badCapture('it does not say where it was made');
    if (!this.#isComplete) throw badCapture('it was cut off before its end');
    return this.#capture;
  }

  #addOnce<T>(map: Map<string, T>, path: string, value: T): void {
    if (map.has(path)) throw badCapture(`it has ${JSON.stringify(path.slice(0, 80))} twice`);
    map.set(path, value);
  }

  #addFile(path: string, bytes: Buffer): void {
    if (bytes.length >= fileBytesMax) this.#reading.absent.set(path, 'limit');
    else this.#addOnce(this.#reading.files, path, bytes);
  }

  #addThreads(name: string, bytes: Buffer): void {
    const [path = '', file = ''] = name.split(' ');
    for (const [tid, content] of splitThreads(file, bytes))
      this.#addOnce(this.#reading.files, `${path}/${tid}/${file}`, content);
  }

  #addMemory(name: string, bytes: Buffer): void {
    const match = /^\/proc\/(\d{1,10})\/mem (0x[0-9a-f]{1,16})$/.exec(name);
    if (match === null || bytes.length === 0) return;
    const pid = Number(match[1]);
    const regions = this.#capture.memory.get(pid) ?? [];
    regions.push({ at: BigInt(match[2] ?? '0x0'), bytes });
    this.#capture.memory.set(pid, regions);
  }

  #addClocks(pid: number, text: string): void {
    const [uptime, cpu, sched] = text.trim().split(/\s+/).map(Number);
    if ([uptime, cpu, sched].every(Number.isFinite))
      this.#capture.clocks.set(pid, { uptimeMs: (uptime ?? 0) * 1000, cpu: cpu ?? 0, schedMs: sched ?? 0 });
  }

  #addAbsent(name: string): void {
    const [word = '', path = ''] = name.split(/ (.*)/s);
    const reason = reasons[word];
    if (reason === undefined) throw badCapture('it gives an unknown reason for a missing file');
    // What was printed before the read failed is not the file.
    this.#reading.files.delete(path);
    this.#reading.absent.set(path, reason);
    const pid = /^\/proc\/(\d{1,10})$/.exec(path)?.[1];
    if (pid !== undefined) this.#capture.skipped.add(Number(pid));
    if (path === '/proc') this.#capture.cut = true;
  }

  #addFacts(name: string, text: string): void {
    if (name === 'ss') this.#capture.ss = text;
    if (name !== 'machine') return;
    const [pid = '', kernel = '', machine = '', seconds = '', uptime = ''] = text.split('\n');
    this.#hasMachine = /^\d{1,10}$/.test(pid) && Number.isFinite(Number(uptime)) && Number(seconds) > 0;
    Object.assign(this.#capture.reader, { pid: Number(pid), kernel, machine });
    this.#capture.realtimeMs = Number(seconds) * 1000;
    this.#capture.uptimeMs = Number(uptime) * 1000;
  }

  #drop(pid: string): void {
    const prefix = `/proc/${pid}/`;
    for (const map of [this.#reading.files, this.#reading.links, this.#reading.lists, this.#reading.absent])
      for (const path of map.keys()) if (path.startsWith(prefix)) map.delete(path);
  }

  #sinceStart(uptime: string): number {
    const ms = Number(uptime) * 1000 - this.#capture.uptimeMs;
    return Number.isFinite(ms) && ms > 0 ? ms : 0;
  }
}

export function assemble(targetPid: number, frames: readonly Frame[]): Capture {
  const assembly = new Assembly(targetPid);
  for (const frame of frames) assembly.add(frame);
  return assembly.finish();
}
