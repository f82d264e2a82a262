import { Graph, layout } from '@dagrejs/dagre';
import type { GraphEdge, GraphNode, WaitGraph } from '../../src/model/wait-graph.js';

export interface PlacedNode extends GraphNode {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedEdge extends GraphEdge {
  points: { x: number; y: number }[];
  /** Middle of its words. */
  at: { x: number; y: number };
}

export interface Picture {
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  width: number;
  height: number;
}

const charPx = 7;
const nodePx = { min: 120, max: 250 };

/** Places the graph in layers, from what waits down to what is waited for. */
export function pictureOf({ nodes, edges }: WaitGraph): Picture {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 44, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) {
    const chars = Math.max(node.label.length, Math.min(node.doing.length, 34));
    const width = Math.min(nodePx.max, Math.max(nodePx.min, chars * charPx + 24));
    graph.setNode(node.id, { width, height: node.kind === 'process' ? 48 : node.doing === '' ? 32 : 44 });
  }
  for (const { from, to, words } of edges) {
    graph.setEdge(from, to, { width: words.length * 6.2 + 8, height: words === '' ? 0 : 16, labelpos: 'c' });
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x, y, width: wide, height: high } = graph.node(node.id) as PlacedNode;
      return { ...node, x, y, width: wide, height: high };
    }),
    edges: edges.map((edge) => {
      const placed = graph.edge(edge.from, edge.to) as {
        points: PlacedEdge['points'];
        x?: number;
        y?: number;
      };
      const middle = placed.points[Math.floor(placed.points.length / 2)] ?? { x: 0, y: 0 };
      return { ...edge, points: placed.points, at: { x: placed.x ?? middle.x, y: placed.y ?? middle.y } };
    }),
  };
}

/** A smooth line through the points. */
export function pathOf(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${first.x},${first.y}`;
  for (let index = 0; index < rest.length; index += 1) {
    const [here, next] = [rest[index], rest[index + 1]];
    if (here === undefined) break;
    if (next === undefined) path += `L${here.x},${here.y}`;
    else path += `Q${here.x},${here.y} ${(here.x + next.x) / 2},${(here.y + next.y) / 2}`;
  }
  return path;
}
