import pc from 'picocolors';
import { stackLines } from '../../../model/facts/stack.js';
import type {
  AbsentFact,
  ChainLink,
  Finding,
  Verdict,
  VerdictKind,
  WhyAnswer,
} from '../../../model/verdict.js';
import { endMarks, kindWords } from '../../../model/verdict-words.js';
import { formatDuration } from '../../../text/duration.js';

type Colors = ReturnType<typeof pc.createColors>;

const kindColors: Record<VerdictKind, 'red' | 'green' | 'yellow' | 'cyan'> = {
  working: 'green',
  timer: 'cyan',
  network: 'cyan',
  'needs-input': 'red',
  lock: 'yellow',
  deadlock: 'red',
  asleep: 'red',
  service: 'green',
  event: 'yellow',
  stopped: 'red',
  zombie: 'red',
  frozen: 'red',
  starved: 'yellow',
  spinning: 'yellow',
  lingering: 'yellow',
  unknown: 'yellow',
};

/** Shorter times are not shown: the wait may have just begun. */
const stillMsMin = 50;

/** `node (4380) release.js`: the program's name, its id, the rest of its command line. */
function nameLink({ command, pid, outside }: ChainLink): string {
  const [program = '', ...args] = command.split(' ');
  const name = program.startsWith('[') ? program : (program.split('/').pop() ?? program);
  return [name, `(${pid})`, ...args].join(' ') + (outside ? '  [outside the tree]' : '');
}

/** A chain of an answer, or of one stuck part of the tree. */
interface Drawing {
  chain: ChainLink[];
  kind: VerdictKind;
  stillMs: number | null;
}

function drawChain({ chain, kind, stillMs }: Drawing, colors: Colors): string[] {
  const mark = colors[kindColors[kind]](`◀ ${endMarks[kind]}`);
  const lines: string[] = [];
  for (const [index, link] of chain.entries()) {
    const last = index === chain.length - 1;
    const previous = chain[index - 1];
    const lead =
      previous === undefined ? '' : `${'   '.repeat(index - 1)}└─ waits for ${previous.waitsFor}   `;
    const still =
      index === 0 && stillMs !== null && stillMs >= stillMsMin
        ? colors.dim(`   nothing has moved for ${formatDuration(stillMs)}`)
        : '';
    lines.push(
      `${colors.dim(lead)}${colors.bold(nameLink(link))}${still}${last && link.waitsFor === '' ? `   ${mark}` : ''}`,
    );
    if (last && link.waitsFor !== '')
      lines.push(`${colors.dim(`${'   '.repeat(index)}└─ `)}waits for ${link.waitsFor}   ${mark}`);
  }
  return lines;
}

function headline({ kind, certainty, reason }: Verdict | Finding, colors: Colors): string {
  return `${colors.bold(colors[kindColors[kind]](kindWords[kind]))}, ${certainty}: ${reason}`;
}

/** Groups missing facts by reason: on a system without /proc nearly everything is missing. */
function absentLines(absent: readonly AbsentFact[], colors: Colors): string[] {
  const byReason = new Map<string, AbsentFact[]>();
  for (const fact of absent) byReason.set(fact.why, [...(byReason.get(fact.why) ?? []), fact]);
  return [...byReason].flatMap(([why, facts]) => {
    const [first, ...more] = facts;
    if (first === undefined) return [];
    const names = facts.map(({ fact }) => fact).join(', ');
    const costs =
      more.length < 2 ? facts.map((fact) => fact.costs).join('; ') : `${first.costs}, and more (see --json)`;
    return [colors.yellow(`not read: ${names}`), `  ${why}`, `  ${costs}`];
  });
}

function stepLines(steps: readonly string[]): string[] {
  return steps.map((step, index) => `${index === 0 ? 'next: ' : '      '}${step}`);
}

/** One stuck part of the tree: its own chain, verdict and evidence. */
function drawFinding(finding: Finding, colors: Colors): string[] {
  const { chain, kind, sinceMs, evidence, owner, next } = finding;
  const title = finding.inside === undefined ? 'a part of it is stuck' : 'some of its threads are stuck';
  const lines = ['', colors.bold(title), ...drawChain({ chain, kind, stillMs: sinceMs }, colors)];
  const shown = [...evidence, ...stackLines(finding.stack)];
  lines.push('', headline(finding, colors), ...shown.map((line) => `  ${line}`));
  if (owner !== null && finding.inside === undefined)
    lines.push(`  it will not end by itself, unless ${owner.name}(${owner.pid}) stops it`);
  return [...lines, ...stepLines(next)];
}

/** The answer for a terminal: chain, verdict, evidence, missing facts, next steps. */
export function renderAnswer(answer: WhyAnswer, useColor: boolean): string {
  const colors = pc.createColors(useColor);
  const { verdict, absent, chain, stillMs, findings } = answer;
  const place = answer.on === undefined ? [] : [colors.dim(`on ${answer.on}`)];
  const drawing = drawChain({ chain, kind: verdict.kind, stillMs }, colors);
  const lines = [...place, ...drawing, '', headline(verdict, colors)];
  for (const line of [...verdict.evidence, ...stackLines(verdict.stack)]) lines.push(`  ${line}`);
  lines.push(...absentLines(absent, colors), ...stepLines(verdict.next));
  for (const finding of findings)
    if (
      finding.pid !== verdict.pid ||
      finding.kind !== verdict.kind ||
      finding.certainty !== verdict.certainty
    )
      lines.push(...drawFinding(finding, colors));
  return `${lines.join('\n')}\n`;
}
