import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../support/record-snapshot.js';

const recorded = readdirSync(snapshotsDir)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/, ''));

function answerTo(name: string) {
  return whySnapshot(parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name));
}

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
});
