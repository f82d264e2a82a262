import { type AgentFacts, type AgentTree, agentWaitWords, shortCount } from '../../model/run/agent.js';
import type { Verdict } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';
import { printableName } from '../../text/printable.js';
import type { AgentProfile } from './profile.js';

/** What the stream of an agent shows beside the kernel's evidence. */
export type AgentFinding = 'lingering' | 'hook' | 'lost' | 'asleep' | 'asking' | 'retrying' | 'unanswered';

/** What the tree shows beside a finding. */
export type TreeClues = Pick<AgentTree, 'model' | 'hook'>;

interface FindingWords {
  /** `because`: the reason from the kernel verdict; empty: none. */
  reason(facts: AgentFacts, because: string, tree: TreeClues): string;
  /** What to type next, best first; `verdict`: the kernel's; null: there is none. */
  next(profile: AgentProfile, verdict: Verdict | null, tree: TreeClues): string[];
}

const and = (because: string) => (because === '' ? '' : `: ${because}`);

export const findingWords: Record<AgentFinding, FindingWords> = {
  lingering: {
    reason: ({ name, result }, because) =>
      `${name} has printed its result ${formatDuration(result?.agoMs ?? 0)} ago and still runs${and(because)}`,
    next: (_, verdict) => (verdict === null ? [] : [`its output is complete, stop it: kill ${verdict.pid}`]),
  },
  hook: {
    reason: ({ name, result }, _, { hook }) =>
      `${name} has finished ${formatDuration(result?.agoMs ?? 0)} ago, but its hook ${hook?.name}(${hook?.pid}) does not end${and(hook?.reason ?? '')}`,
    next: ({ hooks }, _, { hook }) => [
      `its output is complete, stop the hook: kill ${hook?.pid}`,
      ...(hooks === null ? [] : [`change it for the next time: ${hooks}`]),
    ],
  },
  lost: {
    reason: ({ name, tool }, _, { model }) => {
      const says =
        tool === null
          ? `${name} is in the middle of a step`
          : `${name} says its tool ${tool.name} is running`;
      const process = `no process of ${tool === null ? 'a tool' : 'it'} exists`;
      return model === 'none'
        ? `${says}, but ${process} and nothing is being asked of the model: the result was lost`
        : `${says}, but ${process} and the model has answered all requests: the result may be lost`;
    },
    next: ({ resume }) => [`stop the run and go on from there: ${resume}`],
  },
  asleep: {
    reason: ({ name, lastEvent }, because) =>
      `${name} has no result and is asleep, its last event was ${formatDuration(lastEvent?.agoMs ?? 0)} ago${and(because)}`,
    next: (_, verdict) => verdict?.next ?? [],
  },
  asking: {
    reason: ({ name, permission }) =>
      `${name} asks for permission since ${formatDuration(permission?.agoMs ?? 0)}: ${printableName(permission?.text ?? '')}`,
    next: ({ unattended, stdin }, verdict) => [
      'answer it',
      `prevent it next time: ${unattended}`,
      ...(verdict?.kind === 'needs-input' ? [stdin] : []),
    ],
  },
  retrying: {
    reason: ({ name, retries, trouble }) =>
      `${name} gets no answer from its model: ${retries} attempts in a row${and(printableName(trouble ?? ''))}`,
    next: () => ['see whether the service is up, or wait'],
  },
  unanswered: {
    reason: (facts) => `${agentWaitWords(facts) ?? ''}, and it is silent`,
    next: () => ['see whether the service is up, then stop the run and try again'],
  },
};

/** `claude says: turn 3, tool Bash in flight for 42 s, no result, last event 5 min ago`. */
export function streamEvidence(facts: AgentFacts): string {
  const { name, turn, tool, toolsInFlight, toolsInBackground, tokens, lastEvent, result } = facts;
  const { permission, retries, heartbeats } = facts;
  const parts = [`turn ${turn}`];
  if (tool !== null) parts.push(`tool ${tool.name} in flight for ${formatDuration(tool.forMs)}`);
  if (toolsInFlight > 1) parts.push(`${toolsInFlight - 1} more in flight`);
  if (toolsInBackground > 0) parts.push(`${toolsInBackground} in the background`);
  if (tokens !== null) parts.push(`${shortCount(tokens)} tokens`);
  if (permission !== null) parts.push(`asks for permission: ${printableName(permission.text)}`);
  if (retries > 0) parts.push(`${retries} attempts in a row without an answer`);
  parts.push(
    result === null ? 'no result' : `${result.ok ? 'result' : 'failed'} ${formatDuration(result.agoMs)} ago`,
  );
  if (lastEvent !== null && lastEvent.kind !== 'result') {
    parts.push(`last event (${lastEvent.kind}) ${formatDuration(lastEvent.agoMs)} ago`);
  }
  if (heartbeats > 0) parts.push(`${heartbeats} heartbeats, which do not count`);
  return `${name} says: ${parts.join(', ')}`;
}

/** The command is an agent, but prints no events that can be read. */
export function noEventsHint({ name, title, eventFlags }: AgentProfile): string {
  return `${title} prints no events: with ${name} ${eventFlags} its turn, tool and tokens would be shown here`;
}
