import type { VerdictKind } from '../../src/model/verdict.js';
import { cases } from '../../test/fixtures/cases.js';

/** stuck: it will not go on by itself, and somebody must be told; healthy: an alarm would be a false one. */
export type Label = 'stuck' | 'healthy';

/** Who has to do something. */
export type Actor = 'nobody' | 'whoever may type' | 'its author' | 'the other side' | 'whoever stopped it';

/** One real program over time, and what is true about it. */
export interface HangCase {
  name: string;
  family: string;
  /** Why the label is right, in one sentence. */
  why: string;
  /**
   * As in test/fixtures/cases/case.ts. Also '{hangs}', the programs beside this file, '{root}', the checkout, and scaled
   * times: '{second}' and '{eight-minutes}' in milliseconds, '{minute}' and '{eight-minutes-in-seconds}' in seconds.
   */
  run: string[];
  stdin: 'null' | 'pipe' | 'pty';
  label: Label;
  actor: Actor;
  /** What a right answer may call it, best first. */
  kinds: VerdictKind[];
  /** The program that must be named. */
  names?: string;
  needs?: string[];
  rootOnly?: string;
  /** argv of a helper outside of the run; its first line is '{port}'. */
  outside?: string[];
  /** Wants a core for itself, so that few of these run at once. */
  busy?: boolean;
  /** It ends by itself, and what it leaves behind is what counts. */
  ends?: boolean;
  /** It waits for eight minutes, goes on by itself and ends with exit code 0; if not, its label is not proven and it is not scored. */
  goesOn?: boolean;
  /** The machine sleeps for a while: supervisor and command are stopped and continued. */
  pauses?: boolean;
  /** Part of the short form that CI runs. */
  quick?: boolean;
}

/** argv of a C program beside the cases that needs a library. */
export function withLibrary(program: string, library: string, ...args: string[]): string[] {
  return [
    'sh',
    '-c',
    `gcc -o ${program} {hangs}/${program}.c -l${library} && exec ./${program} ${args.join(' ')}`,
  ];
}

type Told = Pick<HangCase, 'label' | 'actor'> & Partial<HangCase>;

const launchable: Record<'null' | 'pipe' | 'socket' | 'pty', HangCase['stdin']> = {
  null: 'null',
  pipe: 'pipe',
  socket: 'pipe',
  pty: 'pty',
};

/** A program whose verdict is tested already; here it is watched over time. */
export function known(family: string, name: string, told: Told): HangCase {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no such case in test/fixtures/cases: ${name}`);
  const { run, stdin, kinds, about, needs, rootOnly, outside, blocker, busy } = found;
  return {
    name,
    family,
    why: about,
    run,
    stdin: launchable[stdin],
    // Where the kernel cannot tell, `unknown` is honest, but it is no answer.
    kinds: kinds.filter((kind) => kind !== 'unknown'),
    names: blocker,
    needs,
    rootOnly,
    outside,
    busy,
    ...told,
  };
}

type Row = Omit<HangCase, 'family' | 'label' | 'actor'> & Partial<HangCase>;

/** A table of cases that have label and actor in common. */
export function family(
  name: string,
  told: Told,
  rows: (string | Row | [string, Partial<HangCase>])[],
): HangCase[] {
  return rows.map((row) => {
    if (typeof row === 'string') return known(name, row, told);
    if (Array.isArray(row)) return known(name, row[0], { ...told, ...row[1] });
    return { family: name, ...told, ...row };
  });
}
