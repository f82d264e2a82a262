import { isAlarm } from './graph/alarm.js';
import { type AwaitedTools, ToolBranches } from './graph/tool-branches.js';
import type { View } from './graph/view.js';
import { type Judgement, judgeView } from './judge.js';

/** A tool of an agent that is a server, and nothing else. */
export interface ToolServer {
  /** The whole tool. */
  tool: View;
  /** The process that listens. */
  server: Judgement;
}

/** A test may have a server inside and wait beside it: it ends by itself. */
const testing =
  /\b(tests?|e2e|specs?)\b(?!\/)|\b(vitest|jest|mocha|karma|playwright|cypress|pytest|tox|rspec|phpunit|nextest)\b/i;

/**
 * The tools that an agent waits for and that only serve: a process listens and has nothing to do, all processes above
 * it only wait for it, and there are no others. Such a tool is healthy, and does not end by itself.
 */
export function findServers({ view }: Judgement, awaited: AwaitedTools): ToolServer[] {
  return new ToolBranches(view, awaited).awaitedRoots.flatMap((pid) => {
    const tool = view.branch(pid);
    const server = isTest(tool) ? null : serverBelow(view, pid);
    return server === null ? [] : [{ tool, server }];
  });
}

function isTest(tool: View): boolean {
  return [...tool.members].some((pid) => testing.test(tool.process(pid)?.command ?? ''));
}

/** Goes down as long as there is a single child. A timer above the server may end it, as that of `timeout` does. */
function serverBelow(view: View, pid: number): Judgement | null {
  const judgement = judgeView(view.branch(pid));
  if (judgement === null || judgement.elsewhere !== null) return null;
  if (judgement.task.process.pid === pid && isServer(judgement)) return asServer(judgement);
  if (judgement.task.process.pid === pid && hasTimer(judgement)) return null;
  const [child, ...others] = view.childrenOf(pid).filter((one) => view.hasMember(one));
  return child === undefined || others.length > 0 ? null : serverBelow(view, child);
}

const hasTimer = ({ cause }: Judgement): boolean => cause.kind === 'timer' && !isAlarm(cause);

/**
 * It may watch files beside, as development servers do. Any process of the machine may have set an alarm: that alone does
 * not make it less of a server.
 */
function isServer({ kind, cause, certainty, others }: Judgement): boolean {
  const listens = [cause, ...others].some((one) => one.kind === 'listening');
  return listens && ((kind === 'service' && certainty === 'high') || isAlarm(cause));
}

function asServer(judgement: Judgement): Judgement {
  const cause = [judgement.cause, ...judgement.others].find(({ kind }) => kind === 'listening');
  return cause === undefined ? judgement : { ...judgement, kind: 'service', certainty: 'high', cause };
}
