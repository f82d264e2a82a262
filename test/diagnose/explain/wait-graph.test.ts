import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { waitGraphOf } from '../../../src/diagnose/explain/wait-graph.js';
import { judge } from '../../../src/diagnose/judge.js';
import type { Snapshot } from '../../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../support/record-snapshot.js';

const recorded = readdirSync(snapshotsDir)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/, ''));

function read(name: string): Snapshot {
  return parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
}

const answerTo = (name: string) => whySnapshot(read(name));

describe('the drawn graph', () => {
  test('agrees with chain and findings in every recorded snapshot', () => {
    for (const name of recorded) {
      const { graph, chain, findings, target } = answerTo(name);
      const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
      expect(nodes.get(`p${target.pid}`)?.marks, name).toContain('target');
      for (const { from, to } of graph.edges) expect(nodes.has(from) && nodes.has(to), name).toBe(true);
      for (const [index, link] of chain.entries()) {
        const next = chain[index + 1];
        if (next === undefined || link.waitsFor === 'nothing, beside') continue;
        const edge = graph.edges.find(({ from, to }) => from === `p${link.pid}` && to === `p${next.pid}`);
        expect(edge, `${name}: ${link.pid} waits for ${next.pid}`).toMatchObject({ words: link.waitsFor });
      }
      for (const { pid } of findings) {
        const node = graph.nodes.find((one) => one.pid === pid && one.finding !== null);
        expect(node, `${name}: the finding about ${pid}`).toBeDefined();
      }
    }
  });

  test('has the cycle of every deadlock between processes', () => {
    const names = recorded.filter((name) => /^pipe-deadlock|both-full|wait-and-full-pipe/.test(name));
    for (const name of names) {
      const { graph, verdict } = answerTo(name);
      if (verdict.kind !== 'deadlock') continue;
      expect(graph.nodes.filter(({ marks }) => marks.includes('cycle')).length, name).toBeGreaterThan(1);
      expect(graph.edges.filter(({ inCycle }) => inCycle).length, name).toBeGreaterThan(1);
    }
  });

  test('of 500 that all wait for each other over one pipe goes through the list of its holders once', () => {
    const judgement = judge(multiplied(read('dash-wait-deadlock'), 500));
    if (judgement === null) throw new Error('no judgement');
    const { exploration } = judgement;
    const lists = new Map<readonly number[], Counted>();
    const edges = exploration.edges.map((edge) => {
      const to = lists.get(edge.to) ?? Counted.from(edge.to);
      lists.set(edge.to, to as Counted);
      return { ...edge, to };
    });
    const graph = waitGraphOf({ ...judgement, exploration: { ...exploration, edges } }, []);
    const longest = [...lists.values()].toSorted((a, b) => b.length - a.length)[0];
    expect(longest?.length).toBeGreaterThan(500);
    expect(longest?.times).toBe(1);
    expect(graph.nodes.length + graph.omitted).toBeGreaterThan(500);
  });
});

class Counted extends Array<number> {
  times = 0;
  override [Symbol.iterator]() {
    this.times += 1;
    return super[Symbol.iterator]();
  }
}

/** The same with many more children like the only one. */
function multiplied(snapshot: Snapshot, count: number): Snapshot {
  const [parent, child] = snapshot.processes;
  const [thread] = child?.threads ?? [];
  if (parent === undefined || child === undefined || thread === undefined) throw new Error('no child');
  const more = Array.from({ length: count }, (_, index) => 100_000 + index);
  const twins = more.map((pid) => ({
    ...child,
    pid,
    namespacePids: [pid],
    threads: [{ ...thread, tid: pid, namespaceTid: pid }],
  }));
  const children = [...parent.children, ...more];
  return { ...snapshot, processes: [{ ...parent, children }, child, ...twins] };
}
