import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Failure } from '../model/failure.js';
import { type PlaceAddress, quoteWord } from '../model/place.js';
import { formatDuration, parseDuration } from '../text/duration.js';
import { clientWords } from './client-words.js';
import { noClient, refusedBy } from './refusals.js';
import { shownPlace } from './shown-place.js';

/** A running script in a place. */
export interface PlaceStream {
  readonly client: ChildProcessWithoutNullStreams;
  /** Resolves when the shell there has begun, with how many seconds the place has been up. Rejects as `begun` does. */
  readonly reached: Promise<number>;
  /** Resolves when the script has begun. Rejects with a Failure that names the reason. */
  readonly begun: Promise<void>;
  /** What the client has printed on stderr, its end. */
  readonly complaint: string;
  /** Output of the script, from its first byte on. To be called once. */
  onOutput(take: (chunk: Buffer) => void): void;
  /** Ends the client. What the script started may live on. */
  close(): void;
}

export interface ScriptResult {
  /** Exit status of the script. */
  status: number;
  stdout: Buffer;
  stderr: string;
}

export interface ScriptOptions {
  /** stdin of the script. */
  input?: Buffer | string;
  /** Default: 30 s. */
  timeoutMs?: number;
  /** For a script that prints all the time: how long it may print nothing. A connection may stall. Default: as long as it may take. */
  quietMs?: number;
  /** Of stdout. Default: 64 MB. */
  maxBytes?: number;
}

/** Within this time a place must answer. */
const answerMsDefault = 15_000;
const answerMsMin = 100;
const scriptMsMax = 30_000;
const outputMax = 64 * 1024 * 1024;
const complaintMax = 4096;

/** Another host or a container, reached through the user's own client. It needs nothing there but a shell. */
export class Place {
  readonly address: PlaceAddress;
  /** As it is typed, with secrets masked. */
  readonly name: string;
  /** Within this time it must answer: UNSTUCK_PLACE_TIMEOUT. */
  readonly answerMs: number;
  readonly #env: NodeJS.ProcessEnv;

  constructor(address: PlaceAddress, env: NodeJS.ProcessEnv = process.env) {
    this.address = address;
    this.name = shownPlace(address);
    this.#env = env;
    const givenMs = parseDuration(env.UNSTUCK_PLACE_TIMEOUT ?? '');
    this.answerMs = givenMs === null ? answerMsDefault : Math.max(answerMsMin, givenMs);
  }

  /** Runs a script to its end. Throws a Failure when the place does not run it. */
  async run(script: string, options: ScriptOptions = {}): Promise<ScriptResult> {
    const { input = '', timeoutMs = scriptMsMax, quietMs = timeoutMs, maxBytes = outputMax } = options;
    const stream = this.open(script);
    const ended = new Promise<number | null>((resolve) => stream.client.once('close', resolve));
    const timers: NodeJS.Timeout[] = [];
    try {
      // Until then the place has its own time to answer.
      await stream.begun;
      let lateMs = timeoutMs;
      const closeAfter = (ms: number) => {
        const timer = setTimeout(() => {
          lateMs = ms;
          stream.close();
        }, ms);
        timers.push(timer);
        return timer;
      };
      closeAfter(timeoutMs);
      const quiet = closeAfter(quietMs);
      const chunks: Buffer[] = [];
      let length = 0;
      stream.onOutput((chunk) => {
        quiet.refresh();
        length += chunk.length;
        if (length > maxBytes) stream.close();
        else chunks.push(chunk);
      });
      stream.client.stdin.end(input);
      const status = await ended;
      if (length > maxBytes)
        throw new Failure('too-large', `${this.name} sent more than ${maxBytes} bytes`, 'ask for less');
      if (status === null) throw this.silent(lateMs);
      return { status, stdout: Buffer.concat(chunks), stderr: stream.complaint };
    } finally {
      timers.forEach(clearTimeout);
      stream.close();
    }
  }

  /**
   * Starts a script whose stdin and stdout stay open. Whatever login scripts print comes before a mark and is dropped.
   * The script itself comes through stdin, so that no process list shows it: a shell that reads a script from stdin
   * may read more than the script, so a first short line makes it read exactly the script. That line also says for how
   * long the place has been up: sshd takes no stdin before it has started the shell, so this costs no time.
   */
  open(script: string): PlaceStream {
    const mark = `unstuck-${randomBytes(8).toString('hex')}`;
    const body = Buffer.from(`printf '%s\\n' ${mark}\n${script}\n`);
    const length = body.length;
    const first = [
      `{ read -r up_u up_x </proc/uptime; } 2>/dev/null; echo ${mark}-sh "\${up_u%%.*}"`,
      `eval "$(dd bs=${length} count=1 iflag=fullblock 2>/dev/null || dd bs=1 count=${length} 2>/dev/null)"`,
    ].join('; ');
    const isVia = this.address.kind === 'via';
    // The client of `via` may join its words in its own way, so nothing that needs quotes is passed to it.
    const words = isVia ? ['sh', '-s'] : ['sh', '-c', first];
    const [program, ...rest] = clientWords(this.address, words, this.#env);
    const client = spawn(program, rest, { env: this.#env, stdio: 'pipe', detached: true });
    const stream = new OpenStream(this, client, mark);
    if (isVia) {
      client.stdin.write(`exec sh -c '${first}'\n`);
      // The shell before it may read more than its line.
      stream.reached.then(
        () => client.stdin.write(body),
        () => {},
      );
    } else client.stdin.write(body);
    return stream;
  }

  /** The failure for a place that has not answered in time. */
  silent(ms: number): Failure {
    return new Failure(
      'no-place',
      `${this.name} did not answer within ${formatDuration(ms)}`,
      `is it up? try: unstuck doctor --on ${quoteWord(this.name)}`,
    );
  }
}

/** What is kept of noise, because a mark may be cut by the end of a chunk. */
const markMax = 100;

/** A line before the output, and what is done with the number in it. */
interface Mark {
  line: RegExp;
  seen(number: number): void;
}

class OpenStream implements PlaceStream {
  readonly client: ChildProcessWithoutNullStreams;
  readonly reached: Promise<number>;
  readonly begun: Promise<void>;
  complaint = '';
  readonly #marks: Mark[];
  #held: Buffer = Buffer.alloc(0);
  #take: ((chunk: Buffer) => void) | null = null;

  constructor(place: Place, client: ChildProcessWithoutNullStreams, mark: string) {
    this.client = client;
    let reject: (error: Error) => void = () => {};
    const failed = new Promise<never>((_, fail) => {
      reject = fail;
    });
    const marks: Mark[] = [];
    const afterLine = (line: string) =>
      Promise.race([failed, new Promise<number>((seen) => marks.push({ line: new RegExp(line), seen }))]);
    this.reached = afterLine(`${mark}-sh (\\d*)\\n`);
    this.begun = afterLine(`${mark}\\n`).then(() => {});
    this.#marks = marks;
    const late = setTimeout(() => {
      reject(place.silent(place.answerMs));
      this.close();
    }, place.answerMs);
    const inTime = () => clearTimeout(late);
    this.begun.then(inTime, inTime);
    this.reached.catch(() => {});
    client.stdin.on('error', () => {});
    client.stdout.on('error', () => {});
    client.stderr.on('data', (chunk: Buffer) => {
      this.complaint = (this.complaint + chunk.toString()).slice(-complaintMax);
    });
    client.on('error', (error: NodeJS.ErrnoException) => reject(noClient(place, client.spawnfile, error)));
    client.on('close', (status) => reject(refusedBy(place, status, this.complaint)));
    client.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  onOutput(take: (chunk: Buffer) => void): void {
    this.#take = take;
    this.#pass();
  }

  close(): void {
    const { pid, exitCode, signalCode } = this.client;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    // The client may have helpers, such as a proxy command.
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.client.kill('SIGKILL');
    }
  }

  #read(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (let [mark] = this.#marks; mark !== undefined; [mark] = this.#marks) {
      const found = mark.line.exec(this.#held.toString('latin1'));
      if (found === null) {
        this.#held = this.#held.subarray(Math.max(0, this.#held.length - markMax));
        return;
      }
      this.#held = this.#held.subarray(found.index + found[0].length);
      this.#marks.shift();
      mark.seen(Number(found[1]));
    }
    this.#pass();
  }

  #pass(): void {
    if (this.#marks.length > 0 || this.#take === null || this.#held.length === 0) return;
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    this.#take(held);
  }
}
