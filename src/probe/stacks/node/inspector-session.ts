import type { StackFrame } from '../../../model/facts/stack.js';
import { openTextSocket, type TextSocket } from './web-socket.js';

const framesMax = 50;

interface Message {
  id?: number;
  result?: Record<string, unknown>;
  method?: string;
  params?: Record<string, unknown>;
}

interface Remote {
  value?: unknown;
  objectId?: string;
}

/** A session with the inspector of Node. Each question has a time limit. */
export class InspectorSession {
  readonly #limitMs: number;
  readonly #waiting = new Map<number, (result: Record<string, unknown> | null) => void>();
  readonly #contexts: number[] = [];
  #paused: ((frames: StackFrame[]) => void) | null = null;
  readonly #files = new Map<string, string>();
  #socket: TextSocket | null = null;
  #nextId = 1;

  private constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  static async open(url: string, limitMs: number): Promise<InspectorSession> {
    const session = new InspectorSession(limitMs);
    session.#socket = await openTextSocket(url, limitMs, {
      message: (text) => session.#take(text),
      closed: () => session.#end(),
    });
    return session;
  }

  /** Numbers of the contexts that code runs in; the first is the program's own. */
  async contexts(): Promise<number[]> {
    await this.#ask('Runtime.enable', {});
    return this.#contexts.slice(0, 100);
  }

  /** The value of an expression; undefined: no value, or a value that cannot be passed on. */
  async evaluate(
    expression: string,
    { contextId, withRequire = false }: { contextId?: number; withRequire?: boolean },
  ): Promise<unknown> {
    const result = await this.#ask('Runtime.evaluate', {
      expression,
      returnByValue: true,
      silent: true,
      includeCommandLineAPI: withRequire,
      ...(contextId === undefined ? {} : { contextId }),
    });
    return remoteOf(result, 'result')?.value;
  }

  /** Calls a function on the list of all objects with the prototype that an expression gives. */
  async callOnInstances(prototype: string, call: string): Promise<unknown> {
    const found = await this.#ask('Runtime.evaluate', { expression: prototype, silent: true });
    const prototypeObjectId = remoteOf(found, 'result')?.objectId;
    if (prototypeObjectId === undefined) return null;
    const listed = await this.#ask('Runtime.queryObjects', { prototypeObjectId });
    const objectId = remoteOf(listed, 'objects')?.objectId;
    if (objectId === undefined) return null;
    const result = await this.#ask('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: call,
      returnByValue: true,
      silent: true,
    });
    return remoteOf(result, 'result')?.value;
  }

  /** The stack of running JavaScript; empty: Node waits in its event loop. */
  async pausedFrames(limitMs: number): Promise<StackFrame[]> {
    await this.#ask('Debugger.enable', {});
    const paused = new Promise<StackFrame[]>((resolve) => {
      this.#paused = resolve;
      setTimeout(() => resolve([]), limitMs).unref();
    });
    await this.#ask('Debugger.pause', {});
    const frames = await paused;
    this.#paused = null;
    await this.#ask('Debugger.disable', {});
    return frames;
  }

  close(): void {
    this.#socket?.close();
    this.#end();
  }

  #ask(method: string, params: object): Promise<Record<string, unknown> | null> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#waiting.delete(id) && resolve(null), this.#limitMs);
      this.#waiting.set(id, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      this.#socket?.send(JSON.stringify({ id, method, params }));
    });
  }

  #take(text: string): void {
    const { id, result, method, params } = JSON.parse(text) as Message;
    if (id !== undefined) {
      this.#waiting.get(id)?.(result ?? null);
      this.#waiting.delete(id);
    } else if (method === 'Runtime.executionContextCreated') {
      const context = params?.context as { id?: number } | undefined;
      if (typeof context?.id === 'number') this.#contexts.push(context.id);
    } else if (method === 'Debugger.scriptParsed') {
      if (this.#files.size < 100_000) this.#files.set(String(params?.scriptId), String(params?.url));
    } else if (method === 'Debugger.paused') {
      this.#paused?.(this.#framesOf(params?.callFrames));
    }
  }

  #framesOf(list: unknown): StackFrame[] {
    if (!Array.isArray(list)) return [];
    return list
      .slice(0, framesMax)
      .map((frame: { functionName?: string; url?: string; location?: Place }) => {
        const url = frame.url || this.#files.get(frame.location?.scriptId ?? '') || '';
        const line = frame.location?.lineNumber;
        return {
          function: (frame.functionName || '(anonymous)').slice(0, 200),
          file: url === '' ? null : url.replace(/^file:\/\//, '').slice(0, 500),
          line: typeof line === 'number' ? line + 1 : null,
        };
      });
  }

  #end(): void {
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
  }
}

interface Place {
  scriptId?: string;
  lineNumber?: number;
}

function remoteOf(result: Record<string, unknown> | null, key: string): Remote | undefined {
  return result?.[key] as Remote | undefined;
}
