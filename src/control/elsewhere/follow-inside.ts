import { type WhyResult, weaker } from '../../model/verdict.js';
import { containerProcess } from '../../places/container-process.js';
import { parsePlace } from '../../places/parse-place.js';
import { commandsInside, isContainerHere } from '../../probe/containers.js';

/** The process that a client runs in a container of this machine; null: elsewhere, or not clear which one it is. */
async function processBeyond({ answer: { verdict } }: WhyResult): Promise<number | null> {
  const { beyond } = verdict;
  if (beyond === undefined || beyond.command === '' || !/^(docker|podman):/.test(beyond.place)) return null;
  const container = await containerProcess(parsePlace(beyond.place));
  if (container === null || !isContainerHere(container.pid, container.id)) return null;
  const [only, ...others] = commandsInside(container.pid, beyond.command, beyond.startTicks);
  return only === undefined || others.length > 0 ? null : only;
}

/**
 * Where a chain ends at the client of a container of this machine, it goes on with what the client runs inside. Which
 * process that is is recognised by its command line and start: such an answer is never certain.
 */
export async function followInside(
  result: WhyResult,
  ask: (pid: number) => Promise<WhyResult>,
): Promise<WhyResult> {
  const { answer, snapshot } = result;
  const { beyond } = answer.verdict;
  const pid = await processBeyond(result).catch(() => null);
  if (pid === null || beyond === undefined) return result;
  const inner = await ask(pid).catch(() => null);
  if (inner === null) return result;
  const at = answer.chain.findIndex((link) => link.pid === beyond.pid);
  const outer = answer.chain
    .slice(0, at + 1)
    .map((link, index) => (index === at ? { ...link, waitsFor: `its command in ${beyond.place}` } : link));
  const inside = inner.answer.chain.map((link) => ({ ...link, outside: true as const }));
  const { verdict } = inner.answer;
  return {
    snapshot,
    answer: {
      ...answer,
      chain: [...outer, ...inside],
      verdict: { ...verdict, beyond, certainty: weaker(verdict.certainty, 'high') },
      processes: [...answer.processes, ...inner.answer.processes.map((one) => ({ ...one, inTree: false }))],
      absent: [...answer.absent, ...inner.answer.absent],
    },
  };
}
