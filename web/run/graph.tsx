import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { WhyAnswer } from '../../src/model/verdict.js';
import { endMarks, isHang } from '../../src/model/verdict-words.js';
import type { GraphMark } from '../../src/model/wait-graph.js';
import { shown } from '../words.js';
import { type PlacedEdge, type PlacedNode, pathOf, pictureOf } from './graph-layout.js';

const markWords: Record<Exclude<GraphMark, 'target' | 'blocker'>, string> = {
  cycle: 'part of the deadlock',
  stuck: 'part of what is stuck',
};

/** The verdict, or the finding, that a node is part of. */
const aboutOf = (node: PlacedNode, { findings, verdict }: WhyAnswer) =>
  (node.finding === null ? undefined : findings[node.finding]) ?? verdict;

/** What a node is marked with. Only what does not end by itself looks bad. */
function tagOf(node: PlacedNode, answer: WhyAnswer): { text: string; isBad: boolean } | null {
  const { marks } = node;
  if (marks.includes('blocker')) {
    const isBad = isHang(aboutOf(node, answer).kind);
    return { text: isBad ? 'hangs here' : 'end of the chain', isBad };
  }
  if (marks.includes('cycle')) return { text: 'deadlock', isBad: true };
  return marks.includes('stuck') ? { text: 'stuck', isBad: true } : null;
}

interface GraphProps {
  answer: WhyAnswer;
  /** Offered for a process of the run that is not its command; absent: nothing can be stopped. */
  onStopPart?: ((node: PlacedNode) => void) | undefined;
  /** The processes are those of this machine, and have a page of their own. */
  isHere?: boolean;
}

/** The wait graph, drawn as the judge saw it. */
export function WaitGraphView({ answer, onStopPart, isHere = true }: GraphProps) {
  const picture = useMemo(() => pictureOf(answer.graph), [answer]);
  const [chosenId, choose] = useState<string | null>(null);
  const chosen =
    picture.nodes.find(({ id }) => id === chosenId) ??
    picture.nodes.find((node) => tagOf(node, answer)?.isBad) ??
    picture.nodes.find(({ marks }) => marks.includes('blocker')) ??
    picture.nodes[0];
  const canvas = useRef<HTMLDivElement>(null);
  // Only when another process is asked about: a new answer about this one must not undo a user's scrolling.
  useLayoutEffect(() => scrollToChosen(canvas.current), [answer.target.pid]);
  return (
    <div class="graph">
      <div
        ref={canvas}
        class="canvas"
        tabIndex={0}
        role="group"
        aria-label="Wait graph: which process waits for which"
      >
        <svg
          viewBox={`0 0 ${picture.width} ${picture.height}`}
          width={picture.width}
          height={picture.height}
          style={{ '--width': `${picture.width}px` }}
          role="group"
          aria-label={`${picture.nodes.length} nodes`}
        >
          <defs>
            {['plain', 'path', 'cycle', 'tree'].map((name) => (
              <marker
                key={name}
                id={`arrow-${name}`}
                class={`arrow ${name}`}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path d="M0,0L8,4L0,8z" />
              </marker>
            ))}
          </defs>
          {picture.edges.map((edge) => (
            <Edge key={`${edge.from} ${edge.to}`} edge={edge} />
          ))}
          {picture.nodes.map((node) => (
            <Node
              key={node.id}
              node={node}
              tag={tagOf(node, answer)}
              isChosen={node.id === chosen?.id}
              onChoose={() => choose(node.id)}
            />
          ))}
        </svg>
      </div>
      {answer.graph.omitted > 0 && (
        <p class="muted">{answer.graph.omitted} more processes of the tree are not drawn.</p>
      )}
      {chosen !== undefined && (
        <NodeFacts node={chosen} answer={answer} onStopPart={onStopPart} isHere={isHere} />
      )}
    </div>
  );
}

/** The graph of a large tree is larger than its canvas. */
function scrollToChosen(canvas: HTMLElement | null): void {
  const node = canvas?.querySelector('.node.chosen > rect')?.getBoundingClientRect();
  if (canvas === null || node === undefined) return;
  const shownBox = canvas.getBoundingClientRect();
  canvas.scrollLeft += node.left + node.width / 2 - shownBox.left - shownBox.width / 2;
  canvas.scrollTop += node.top + node.height / 2 - shownBox.top - shownBox.height / 2;
}

function classOf(edge: PlacedEdge): string {
  if (edge.inCycle) return 'cycle';
  if (edge.kind !== 'waits') return 'tree';
  return edge.onPath ? 'path' : 'plain';
}

function Edge({ edge }: { edge: PlacedEdge }) {
  const name = classOf(edge);
  return (
    <g class={`edge ${name}`} data-cycle={edge.inCycle}>
      <path d={pathOf(edge.points)} marker-end={`url(#arrow-${name})`} />
      {edge.words !== '' && (
        <text x={edge.at.x} y={edge.at.y + 4} text-anchor="middle">
          {edge.words}
        </text>
      )}
    </g>
  );
}

/** As wide as bold text gets, with room at both ends. */
const tagPx = (text: string) => text.length * 6.4 + 16;

interface NodeProps {
  node: PlacedNode;
  tag: ReturnType<typeof tagOf>;
  isChosen: boolean;
  onChoose(): void;
}

function Node({ node, tag, isChosen, onChoose }: NodeProps) {
  const { x, y, width, height, marks, kind, label, doing } = node;
  const [left, top] = [x - width / 2, y - height / 2];
  const chars = Math.floor((width - 20) / 6.4);
  return (
    <g
      class={`node ${kind} ${marks.join(' ')}${tag?.isBad ? ' bad' : ''}${node.inTree ? '' : ' outside'}${isChosen ? ' chosen' : ''}`}
      role="button"
      // In SVG the name of the attribute has no capital letter.
      {...{ tabindex: 0 }}
      aria-pressed={isChosen}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        onChoose();
      }}
    >
      <rect x={left} y={top} width={width} height={height} rx={kind === 'end' ? height / 2 : 6} />
      <text class="name" x={x} y={doing === '' ? y + 4 : y - 3} text-anchor="middle">
        {cut(shown(label), chars)}
      </text>
      {doing !== '' && (
        <text class="doing" x={x} y={y + 13} text-anchor="middle">
          {cut(shown(withoutName(doing)), chars)}
        </text>
      )}
      {tag !== null && (
        <g class="tag">
          <rect
            x={left + width - tagPx(tag.text) - 6}
            y={top - 8}
            width={tagPx(tag.text)}
            height={15}
            rx={7}
          />
          <text x={left + width - tagPx(tag.text) / 2 - 6} y={top + 3} text-anchor="middle">
            {tag.text}
          </text>
        </g>
      )}
    </g>
  );
}

/** What it does, without the name that is above it. */
const withoutName = (doing: string) => doing.replace(/^\S+\(\d+\)(?: thread \d+(?: \([^)]*\))?)? /, '');

const cut = (text: string, chars: number) => (text.length <= chars ? text : `${text.slice(0, chars - 1)}…`);

/** What is known about one node. */
function NodeFacts({
  node,
  answer,
  onStopPart,
  isHere,
}: {
  node: PlacedNode;
  answer: WhyAnswer;
  onStopPart: GraphProps['onStopPart'];
  isHere: boolean;
}) {
  const { pid, label, command, doing, marks, finding: index, inTree } = node;
  const finding = index === null ? undefined : answer.findings[index];
  const about = aboutOf(node, answer);
  const lines = pid === null ? [] : about.evidence.filter((line) => line.includes(`(${pid})`));
  const mayStop = onStopPart !== undefined && inTree && pid !== null && pid !== answer.target.pid;
  return (
    <section class="facts" aria-label={`About ${shown(label)}`}>
      <h2>
        {shown(label)}
        {marks.map((mark) =>
          mark === 'target' ? null : (
            <span key={mark} class={`pill${mark !== 'blocker' || isHang(about.kind) ? ' bad' : ''}`}>
              {mark === 'blocker' ? endMarks[about.kind] : markWords[mark]}
            </span>
          ),
        )}
        {!inTree && pid !== null && <span class="pill">outside of the run</span>}
      </h2>
      {command !== '' && <p class="mono command">{shown(command)}</p>}
      {doing !== '' && !lines.some((line) => line.startsWith(doing)) && <p>{shown(doing)}</p>}
      {finding !== undefined && <p class="sentence">{shown(finding.reason)}</p>}
      {lines.length > 0 && (
        <ul class="evidence">
          {lines.map((line) => (
            <li key={line}>{shown(line)}</li>
          ))}
        </ul>
      )}
      <p class="actions">
        {pid !== null && isHere && (
          <a class="button" href={`#/processes/${pid}`}>
            Why {pid}
          </a>
        )}
        {mayStop && (
          <button type="button" class="danger" onClick={() => onStopPart(node)}>
            Stop this part …
          </button>
        )}
      </p>
    </section>
  );
}
