import type { Table } from '../report.js';

/** One comparison: in the table with this title, our row against theirs, in one column. */
interface Reading {
  title: RegExp;
  what: string;
  column: string;
  ours: RegExp;
  theirs: RegExp;
  better: 'less' | 'more';
}

const readings: Reading[] = [
  {
    title: /^One tick/,
    what: 'a sample of 1,000 processes, CPU',
    column: 'CPU',
    ours: /^unstuck$/,
    theirs: /^(pidusage|ps-list|systeminformation)/,
    better: 'less',
  },
  {
    title: /^unstuck run -- true/,
    what: 'start a command and wait for it',
    column: 'median',
    ours: /^node dist\/cli\.c?js run/,
    theirs: /^(timeout|execa|zx)/,
    better: 'less',
  },
  {
    title: /^Output of .* zeros/,
    what: 'pass output on and keep a copy, zeros',
    column: 'median',
    ours: /^unstuck run/,
    theirs: /^(tee|execa)/,
    better: 'more',
  },
  {
    title: /^Output of .* lines of/,
    what: 'pass output on and keep a copy, lines',
    column: 'median',
    ours: /^unstuck run/,
    theirs: /^(tee|execa)/,
    better: 'more',
  },
  {
    title: /^Output of .* two programs/,
    what: 'the same, two programs print them',
    column: 'median',
    ours: /^unstuck run/,
    theirs: /^tee/,
    better: 'more',
  },
];

/** Tables that have the ratio in a column, above 1 where Unstuck is better, and who the other one is. */
const ownRatios = [
  { title: /PM2/, column: 'ratio', peer: 'PM2' },
  { title: /./, column: 'against grep', peer: 'grep' },
];

export interface Ratio {
  what: string;
  peer: string;
  /** Above 1: Unstuck is better. */
  ratio: number;
}

/** `4.61 ms`, `657 MB/s`, `1.25x`. */
function numberOf(text: string | undefined): number {
  return Number.parseFloat((text ?? '').replaceAll(',', ''));
}

function compare({ head, rows }: Table, { what, column, ours, theirs, better }: Reading): Ratio[] {
  const at = head.indexOf(column);
  const mine = numberOf(rows.find(([name = '']) => ours.test(name))?.[at]);
  return rows
    .filter(([name = '']) => theirs.test(name))
    .map((row) => {
      const other = numberOf(row[at]);
      return {
        what,
        peer: (row[0] ?? '').split(',')[0] ?? '',
        ratio: better === 'less' ? other / mine : mine / other,
      };
    });
}

/** Every comparison with somebody else that the tables hold. */
export function ratiosOf(tables: Table[]): Ratio[] {
  const compared = tables.flatMap((table) =>
    readings.filter(({ title }) => title.test(table.title)).flatMap((reading) => compare(table, reading)),
  );
  const given = tables.flatMap(({ title, head, rows }) =>
    ownRatios
      .filter((own) => own.title.test(title) && head.includes(own.column))
      .flatMap(({ column, peer }) =>
        rows.map((row) => ({ what: row[0] ?? '', peer, ratio: numberOf(row[head.indexOf(column)]) })),
      ),
  );
  return [...compared, ...given].filter(({ ratio }) => Number.isFinite(ratio));
}

/** One table of all, best first; where Unstuck is behind, it says so. */
export function ratioTable(ratios: Ratio[]): Table {
  return {
    title: 'Unstuck against the others',
    note: 'Above 1: Unstuck is better, so many times.',
    head: ['what', 'against', 'ratio', ''],
    rows: ratios
      .toSorted((a, b) => b.ratio - a.ratio)
      .map(({ what, peer, ratio }) => [
        what,
        peer,
        `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`,
        ratio < 0.95 ? '**behind**' : '',
      ]),
  };
}
