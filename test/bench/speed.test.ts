import { describe, expect, test } from 'vitest';
import { renderTable } from '../../bench/report.js';
import { ratiosOf, ratioTable } from '../../bench/speed/ratios.js';
import { readTables } from '../../bench/speed/read-tables.js';

const tick = {
  title: 'One tick over 1,000 sleeping processes',
  note: 'A note.',
  head: ['', 'median', 'CPU'],
  rows: [
    ['unstuck', '4 ms', '4.00 ms'],
    ['unstuck, everything read anew', '9 ms', '12.0 ms'],
    ['pidusage', '17 ms', '1,000 ms'],
  ],
};
const output = {
  title: 'Output of 1,024 MiB, lines of 80 characters',
  head: ['', 'median', 'against tee'],
  rows: [
    ['tee', '600 MB/s', '1.00x'],
    ['unstuck run', '300 MB/s', '0.50x'],
    ['execa, to a file and stdout', '100 MB/s', '0.17x'],
  ],
};
const pm2 = {
  title: '200 runs, and the same with PM2',
  head: ['', 'Unstuck', 'PM2', 'ratio'],
  rows: [
    ['list', '7 ms', '25 ms', '3.57x'],
    ['after SIGKILL', 'all', 'none', ''],
  ],
};

describe('the table of ratios', () => {
  test('what was printed is read back as it was', () => {
    const { note, ...rest } = tick;
    expect(readTables(`# Title\n\n${[tick, pm2].map(renderTable).join('\n')}`)).toEqual([rest, pm2]);
  });

  test('above 1 is better, whether less or more is better; rows without a number are left out', () => {
    expect(ratiosOf([tick, output, pm2])).toEqual([
      { what: 'a sample of 1,000 processes, CPU', peer: 'pidusage', ratio: 250 },
      { what: 'pass output on and keep a copy, lines', peer: 'tee', ratio: 0.5 },
      { what: 'pass output on and keep a copy, lines', peer: 'execa', ratio: 3 },
      { what: 'list', peer: 'PM2', ratio: 3.57 },
    ]);
  });

  test('best first, and rows where Unstuck is behind are marked', () => {
    const { rows } = ratioTable(ratiosOf([output, tick]));
    expect(rows.map(([, peer, ratio, note]) => [peer, ratio, note])).toEqual([
      ['pidusage', '250x', ''],
      ['execa', '3.00x', ''],
      ['tee', '0.50x', '**behind**'],
    ]);
  });
});
