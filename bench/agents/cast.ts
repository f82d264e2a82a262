import type { BenchAgent } from './cli/agent.js';
import { benchAgents } from './cli/index.js';
import { parsePackage } from './install.js';
import { scenes } from './scenes/index.js';
import type { Scene } from './scenes/scene.js';

/** One agent in one scene. */
export interface Cast {
  agent: BenchAgent;
  version: string;
  scene: Scene;
  hidden: boolean;
  isText: boolean;
}

/** Events with both kinds of API, where that matters; text with one. */
function stagesOf({ expect, stage }: Scene): { hidden: boolean; isText: boolean }[] {
  const seen = { hidden: false, isText: false };
  if (stage === 'stream') return [seen];
  if (stage === 'screen') return [{ hidden: false, isText: true }];
  if (expect === 'quiet') return [seen, { hidden: false, isText: true }];
  return [
    seen,
    { hidden: true, isText: false },
    ...(expect === 'model' ? [] : [{ hidden: false, isText: true }]),
  ];
}

function isPlayed(agent: BenchAgent, { only, asks, stage }: Scene): boolean {
  if (asks === true && agent.asking === undefined) return false;
  if (stage === 'screen' && agent.onScreen === undefined) return false;
  return only?.includes(agent.name) !== false;
}

/** Every scene for every agent that can play it. `only`: parts of names, all of which have to match. */
export function castOf(only: readonly string[]): Cast[] {
  const all = scenes.flatMap((scene) =>
    stagesOf(scene).flatMap((stage) =>
      benchAgents
        .filter((agent) => isPlayed(agent, scene))
        .map((agent) => ({ agent, version: parsePackage(agent.packages[0]).version, scene, ...stage })),
    ),
  );
  return all.filter(({ agent, scene, hidden, isText }) =>
    isWanted([agent.name, scene.name, hidden ? 'hidden' : 'visible', isText ? 'text' : 'events'], only),
  );
}

/** Each part is in one of the names; with a comma, one of its parts is. */
export function isWanted(names: readonly string[], only: readonly string[]): boolean {
  return only.every((part) => part.split(',').some((one) => names.some((name) => name.includes(one))));
}

/** `claude-deadlock-hidden`. */
export function folderOf({ agent, scene, hidden, isText }: Cast): string {
  const stage = isText ? 'text' : hidden ? 'hidden' : 'visible';
  return `${agent.name}-${scene.name}-${stage}`.replaceAll(/[^\w-]+/g, '-');
}
