import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client, type ClientOptions, type ProgressCallback } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type BackgroundHome, inherited } from '../support/background-home.js';
import { patienceMs } from '../support/patience.js';
import { cliPath } from '../support/run-cli.js';

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export interface AgentOptions {
  revision?: Revision;
  name?: string;
  args?: string[];
  /** Whatever a run asks its person; without it the client cannot ask. */
  person?: (question: string) => { action: 'accept' | 'decline'; content?: { answer: string } };
}

// biome-ignore lint/suspicious/noExplicitAny: what is answered is what is tested
export type Answered = any;

/** Runs are looked at as often as a test wants to wait. */
const quick = { UNSTUCK_SAMPLE: '50ms', UNSTUCK_ACTIVITY_WINDOW: '200ms' };

/** The official client at the other end of a real pipe. */
export class Agent {
  readonly client: Client;
  readonly #transport: StdioClientTransport;
  /** Characters that came back, as a client shows them to a model. */
  shownChars = 0;
  stderr = '';

  private constructor(home: BackgroundHome, options: AgentOptions) {
    const { revision = '2026-07-28', name = 'tester', args = [], person } = options;
    this.#transport = new StdioClientTransport({
      command: process.execPath,
      args: [cliPath, 'mcp', ...args],
      env: inherited({ ...home.env, ...quick }),
      cwd: home.path,
      stderr: 'pipe',
    });
    this.#transport.stderr?.on('data', (chunk) => {
      this.stderr += String(chunk);
    });
    const negotiation: ClientOptions =
      revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {};
    this.client = new Client(
      { name, version: '1.0.0' },
      { ...negotiation, capabilities: person === undefined ? {} : { elicitation: { form: {} } } },
    );
    if (person !== undefined) {
      this.client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
    }
  }

  static async connect(home: BackgroundHome, options: AgentOptions = {}): Promise<Agent> {
    const agent = new Agent(home, options);
    await agent.client.connect(agent.#transport, { timeout: patienceMs });
    return agent;
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  /** The whole result of a tool. */
  async call(
    name: string,
    input: object = {},
    options: { signal?: AbortSignal; onprogress?: ProgressCallback } = {},
  ): Promise<Answered> {
    const result = await this.client.callTool(
      { name, arguments: { ...input } },
      { timeout: patienceMs, ...options },
    );
    const { content, structuredContent } = result as Answered;
    this.shownChars += Math.max(content[0].text.length, JSON.stringify(structuredContent).length);
    return result;
  }

  /** Its structure; an error is an exception. */
  async ask(name: string, input: object = {}): Promise<Answered> {
    const { structuredContent, isError } = await this.call(name, input);
    if (isError) throw new Error(JSON.stringify(structuredContent));
    return structuredContent;
  }

  /** The error of a call that must fail. */
  async fail(name: string, input: object): Promise<{ code: string; message: string; hint: string }> {
    const { structuredContent, isError, content } = await this.call(name, input);
    if (!isError) throw new Error(`no error: ${JSON.stringify(structuredContent)}`);
    const { error } = structuredContent;
    if (content[0].text !== `${error.code}: ${error.message}\nhint: ${error.hint}`)
      throw new Error(content[0].text);
    return error;
  }

  /** The package kills a server that has not ended after 4 s: a busy one has not handed its runs over by then. */
  async close(): Promise<void> {
    const { _process: server } = this.#transport as unknown as { _process?: ChildProcess };
    if (server !== undefined && server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      server.stdin?.end();
      await ended;
    }
    await this.client.close();
  }
}
