import type { VerdictKind } from '../../src/model/verdict.js';
import type { HangCase } from './hang-case.js';
import { type JudgeName, judgeNames, type WayName } from './judges.js';

export interface Options {
  quick: boolean;
  /** 20 hangs that can be proven, with all times as they are by default. */
  realTime: boolean;
  save: boolean;
  /** Five healthy runs are in the history of each command. */
  withHistory: boolean;
  asUser: boolean;
  /** Parts of names of cases or families; none: all. */
  only: string[];
  /** Run nothing, but tell anew what was saved. */
  publish: boolean;
  ways: WayName[];
}

export const usage = `npm run bench:hangs [-- options]
  --quick        the short form: 20 cases, everything twice as fast
  --real-time    20 hangs that can be proven, with all times as they are by default: after how long is each reported?
  --only NAME    cases and families with this in their name; may be given more than once
  --judge NAME   beside Unstuck only these: ${judgeNames.join(', ')}; may be given more than once
  --as-user      the same without the rights of root: as root, in a copy that a normal user owns
  --with-history five healthy runs are in the history of each command
  --save         write bench/results, and make docs/hangs.svg and the tables of docs/benchmarks.md from them
  --publish      run nothing, only make these anew from bench/results
  --help         this`;

function wayNamed(name: string): WayName[] {
  const found = judgeNames.find((judge) => judge === (name as JudgeName));
  if (found === undefined) throw new Error(`no such judge: ${name}\n${usage}`);
  return found === 'unstuck' ? [] : [found];
}

export function parseOptions(args: string[]): Options {
  const judges: string[] = [];
  const options: Options = {
    quick: false,
    realTime: false,
    save: false,
    withHistory: false,
    asUser: false,
    publish: false,
    only: [],
    ways: [],
  };
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const value = () => {
      const next = rest.shift();
      if (next === undefined) throw new Error(`${arg} needs a name\n${usage}`);
      return next;
    };
    if (arg === '--quick') options.quick = true;
    else if (arg === '--real-time') options.realTime = true;
    else if (arg === '--with-history') options.withHistory = true;
    else if (arg === '--save') options.save = true;
    else if (arg === '--as-user') options.asUser = true;
    else if (arg === '--publish') options.publish = true;
    else if (arg === '--only') options.only.push(value());
    else if (arg === '--judge') judges.push(value());
    else throw new Error(`no such option: ${arg}\n${usage}`);
  }
  if (
    options.save &&
    (options.quick || options.realTime || options.withHistory || options.only.length + judges.length > 0)
  ) {
    throw new Error(`--save is for the whole: what is published is not chosen\n${usage}`);
  }
  if (options.publish && args.length > 1) {
    throw new Error(`--publish stands alone: it runs nothing\n${usage}`);
  }
  const chosen = judges.length === 0 ? judgeNames : judges;
  return { ...options, ways: options.realTime ? [] : chosen.flatMap(wayNamed) };
}

/** Verdicts that a snapshot can prove, without waiting for a silence. */
const provable: ReadonlySet<VerdictKind> = new Set(['deadlock', 'needs-input', 'stopped', 'asleep']);
const realTimeCases = 20;

/** Evenly over the list, so that every family has its share. */
function sampleOf(cases: HangCase[]): HangCase[] {
  const provables = cases.filter(
    ({ label, kinds, ends }) => label === 'stuck' && !ends && kinds.every((kind) => provable.has(kind)),
  );
  const step = Math.max(1, provables.length / realTimeCases);
  return Array.from({ length: Math.min(realTimeCases, provables.length) }, (_, index) =>
    provables.at(Math.floor(index * step)),
  ).filter((c) => c !== undefined);
}

export function chooseCases(
  all: HangCase[],
  { quick, realTime, only }: Pick<Options, 'quick' | 'realTime' | 'only'>,
): HangCase[] {
  const chosen = (realTime ? sampleOf(all) : all)
    .filter((c) => !quick || c.quick === true)
    .filter(
      ({ name, family }) =>
        only.length === 0 || only.some((part) => name.includes(part) || family.includes(part)),
    );
  if (chosen.length === 0) throw new Error(`no case has that in its name: ${only.join(', ')}\n${usage}`);
  return chosen;
}
