import type { HangCase } from './hang-case.js';
import { type JudgeName, judgeNames, type WayName } from './judges.js';

export interface Options {
  quick: boolean;
  save: boolean;
  /** Parts of names of cases or families; none: all. */
  only: string[];
  ways: WayName[];
}

export const usage = `npm run bench:hangs [-- options]
  --quick        the short form: 20 cases, everything twice as fast
  --only NAME    cases and families with this in their name; may be given more than once
  --judge NAME   beside Unstuck only these: ${judgeNames.join(', ')}; may be given more than once
  --save         write bench/results and docs/hangs.svg`;

function wayNamed(name: string): WayName[] {
  const found = judgeNames.find((judge) => judge === (name as JudgeName));
  if (found === undefined) throw new Error(`no such judge: ${name}\n${usage}`);
  return found === 'unstuck' ? [] : [found];
}

export function parseOptions(args: string[]): Options {
  const judges: string[] = [];
  const options: Options = { quick: false, save: false, only: [], ways: [] };
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const value = () => {
      const next = rest.shift();
      if (next === undefined) throw new Error(`${arg} needs a name\n${usage}`);
      return next;
    };
    if (arg === '--quick') options.quick = true;
    else if (arg === '--save') options.save = true;
    else if (arg === '--only') options.only.push(value());
    else if (arg === '--judge') judges.push(value());
    else throw new Error(`no such option: ${arg}\n${usage}`);
  }
  if (options.save && (options.quick || options.only.length + judges.length > 0)) {
    throw new Error(`--save is for the whole: what is published is not chosen\n${usage}`);
  }
  const chosen = judges.length === 0 ? judgeNames : judges;
  return { ...options, ways: chosen.flatMap(wayNamed) };
}

export function chooseCases(all: HangCase[], { quick, only }: Pick<Options, 'quick' | 'only'>): HangCase[] {
  const chosen = all
    .filter((c) => !quick || c.quick === true)
    .filter(
      ({ name, family }) =>
        only.length === 0 || only.some((part) => name.includes(part) || family.includes(part)),
    );
  if (chosen.length === 0) throw new Error(`no case has that in its name: ${only.join(', ')}\n${usage}`);
  return chosen;
}
