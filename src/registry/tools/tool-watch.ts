import { type StuckTool, toolNotice } from '../../diagnose/explain/tool-words.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { Failure } from '../../model/failure.js';
import type { ToolCall } from '../../model/tool.js';
import type { NoticeDesk } from '../../notices/notice-desk.js';
import { identify } from '../../probe/processes.js';
import { AgentTools } from './agent-tools.js';

/** More agents than run at once. */
const agentsMax = 256;
const endedMax = 1000;

/** The tools of all agents that report them through hooks. Nothing of this is stored: an agent reports each call anew. */
export class ToolWatch {
  readonly #desk: Pick<NoticeDesk, 'report'>;
  readonly #agents = new Map<string, AgentTools>();
  /** Calls that have ended: the begin of a short one may be reported late. */
  readonly #ended = new Set<string>();
  /** The last failure, for the log of the daemon; null: none. */
  trouble: string | null = null;

  constructor(desk: Pick<NoticeDesk, 'report'>) {
    this.#desk = desk;
  }

  /** Tools run that are watched. */
  get isBusy(): boolean {
    for (const tools of this.#agents.values()) if (!tools.isIdle) return true;
    return false;
  }

  /** Number of calls that have begun and not ended. */
  get open(): number {
    return [...this.#agents.values()].reduce((sum, { calls }) => sum + calls.length, 0);
  }

  /** Throws a Failure when there is no such process. */
  begin(pid: number, startTicks: number, call: ToolCall): void {
    const agent = identify(pid);
    if (agent === null || agent.startTicks !== startTicks)
      throw new Failure(
        'bad-input',
        `process ${pid} is not the agent`,
        'give the pid and start time of the agent',
      );
    if (!this.#ended.delete(`${pid} ${startTicks} ${call.id}`)) this.#of(agent).begin(call);
  }

  /** The hint for the agent; null: there is none. */
  end(pid: number, startTicks: number, id: string): string | null {
    const tools = this.#agents.get(`${pid} ${startTicks}`);
    if (tools?.has(id) !== true) this.#noteEnded(`${pid} ${startTicks} ${id}`);
    return tools?.end(id) ?? null;
  }

  close(): void {
    for (const tools of this.#agents.values()) tools.close();
    this.#agents.clear();
  }

  #noteEnded(key: string): void {
    const [oldest] = this.#ended;
    if (this.#ended.size >= endedMax && oldest !== undefined) this.#ended.delete(oldest);
    this.#ended.add(key);
  }

  #of(agent: ProcessIdentity): AgentTools {
    const key = `${agent.pid} ${agent.startTicks}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    this.#forgetIdle();
    const tools = new AgentTools(agent, {
      report: (tool) => this.#report(key, tool),
      failed: (error) => {
        this.trouble = error.message;
      },
    });
    this.#agents.set(key, tools);
    return tools;
  }

  #forgetIdle(): void {
    for (const [key, tools] of this.#agents) {
      if (this.#agents.size < agentsMax) return;
      if (!tools.isIdle) continue;
      this.#agents.delete(key);
    }
    if (this.#agents.size < agentsMax) return;
    throw new Failure('bad-input', `tools of ${agentsMax} agents are watched already`, 'end some of them');
  }

  #report(agentKey: string, tool: StuckTool): void {
    const { agent, finding } = tool;
    const about = { runId: null, label: agent, task: null, owner: null, tags: [`agent=${agent}`] };
    const output = [...finding.evidence, ...finding.next.map((step) => `next: ${step}`)].join('\n');
    const key = `tool ${agentKey} ${finding.end.pid} ${finding.end.startTicks} ${finding.kind}`;
    try {
      this.#desk.report(about, { key, kind: 'tool-stuck', text: toolNotice(tool), output, suppressed: 0 });
    } catch (error) {
      // The disk is full. The agent gets its hint all the same.
      this.trouble = (error as Error).message;
    }
  }
}
