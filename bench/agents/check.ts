import { isDeepStrictEqual } from 'node:util';
import { readLines, shownState, stated } from '../../test/support/agent-oracle.js';
import type { BenchAgent } from './cli/agent.js';
import type { Played } from './play.js';
import type { Scene } from './scenes/scene.js';

/** Reported later than this is too late. */
const limitS = 30;

/**
 * Each state that was shown has to be what the lines so far said, in the order of the lines, and the last one what all
 * of them say.
 */
export function misread({ name }: BenchAgent, { raw, shown }: Pick<Played, 'raw' | 'shown'>): string | null {
  const lines = readLines(raw);
  let at = 0;
  for (const [index, facts] of shown.entries()) {
    const seen = shownState(facts);
    if (index === shown.length - 1) at = lines.length;
    while (at < lines.length && !isDeepStrictEqual(stated(name, lines.slice(0, at)), seen)) at++;
    const said = stated(name, lines.slice(0, at));
    if (!isDeepStrictEqual(said, seen))
      return `showed ${JSON.stringify(seen)}, the stream says ${JSON.stringify(said)}`;
  }
  return null;
}

function hangFault({ named }: { named: string }, played: Played): string | null {
  if (!played.began) return 'the tool never began';
  if (played.reportedS === null) return 'not reported';
  if (played.reportedS > limitS) return `reported after ${limitS} s`;
  if (!played.names.includes(named)) return `named ${played.names.join(', ')}`;
  return played.outcome === 'exited' ? null : `the agent did not end by itself: ${played.outcome}`;
}

function verdictFault(
  { name }: BenchAgent,
  { expect, hangs, stage, mayLast }: Scene,
  played: Played,
): string | null {
  const { names, healths } = played;
  if (typeof expect === 'object' && hangs?.includes(name) !== false) {
    if ('named' in expect) return hangFault(expect, played);
    return healths.some(({ reason }) => reason.includes(expect.says)) ? null : `never said: ${expect.says}`;
  }
  if (names.length > 0) return `a false alarm: ${played.reason}`;
  const worse = healths.find(({ health }) => health !== 'suspicious');
  if (worse !== undefined) return `called ${worse.health}: ${worse.reason}`;
  if (stage === 'stream' && mayLast !== true && played.outcome !== 'exited')
    return `the agent did not end by itself: ${played.outcome}`;
  if (expect === 'model' && played.modelS === 0) return 'the wait for the model never showed';
  return null;
}

/** What is wrong with how it went; null: nothing. */
export function faultOf(agent: BenchAgent, scene: Scene, isText: boolean, played: Played): string | null {
  if (!isText && played.raw === '') return 'the agent printed nothing';
  return verdictFault(agent, scene, played) ?? (isText ? null : misread(agent, played));
}
