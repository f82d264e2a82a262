import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { neverCertain } from '../../src/model/verdict.js';
import { cases } from '../fixtures/cases.js';
import { benchProgramsDir, programsDir } from './compile.js';

const names = cases.map((c) => c.name);
const launchers = [
  'short-loops.c',
  'in-pipe.c',
  'in-pty.c',
  'stand-in-agent.py',
  'ticking-parent.mjs',
  'without-call.c',
];

describe('the table of cases', () => {
  it('has names that are unique and can be file names', () => {
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it('shares no program name with the hang benchmark, which would start the wrong program', () => {
    const stems = (dir: string) => readdirSync(dir).map((file) => file.replace(/\.[^.]+$/, ''));
    const ours = new Set(stems(programsDir));
    expect(stems(benchProgramsDir).filter((stem) => ours.has(stem))).toEqual([]);
  });

  it('points near misses at other cases', () => {
    const lost = cases.filter((c) => c.nearMissOf !== undefined && !names.includes(c.nearMissOf));
    expect(lost.map((c) => c.name)).toEqual([]);
    expect(cases.filter((c) => c.nearMissOf === c.name)).toEqual([]);
  });

  it('never allows what it forbids', () => {
    const torn = cases.filter((c) => c.never?.some((kind) => c.kinds.includes(kind)));
    expect(torn.map((c) => c.name)).toEqual([]);
  });

  it('lets a near miss share the verdict of the case it resembles only if another part of the answer differs', () => {
    const same = cases.filter((c) => {
      const resembled = cases.find((one) => one.name === c.nearMissOf);
      const [best] = resembled?.kinds ?? [];
      const differs = c.certain === false || c.part !== resembled?.part || c.relieved !== resembled?.relieved;
      return best !== undefined && c.kinds.includes(best) && !differs;
    });
    expect(same.map((c) => c.name)).toEqual([]);
  });

  it('asks for certainty only where it is possible', () => {
    const impossible = cases.filter(
      (c) => c.certain === true && c.kinds.some((kind) => neverCertain.has(kind)),
    );
    expect(impossible.map((c) => c.name)).toEqual([]);
  });

  it('uses every program', () => {
    const spoken = cases.flatMap((c) => [...c.run, ...(c.outside ?? [])]).join(' ');
    const files = readdirSync(programsDir, { withFileTypes: true }).filter((entry) => entry.isFile());
    const unused = files
      .map(({ name }) => name)
      .filter((file) => {
        const program = file.replace(/\.[a-z]+$/, '');
        return (
          !launchers.includes(file) &&
          !spoken.includes(`{programs}/${file}`) &&
          !spoken.includes(`{bin}/${program}`)
        );
      });
    expect(unused).toEqual([]);
  });

  it('keeps comm names of blockers short enough for the kernel', () => {
    expect(cases.filter((c) => (c.blocker ?? c.target ?? '').length > 15).map((c) => c.name)).toEqual([]);
  });
});
