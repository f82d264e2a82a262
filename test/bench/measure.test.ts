import { describe, expect, test } from 'vitest';
import { compare, mean, medianOver, takeTurns, timing } from '../../bench/measure.js';
import { goalsTable, ms, renderTable, times } from '../../bench/report.js';

describe('measuring', () => {
  test('minimum, median and mean', () => {
    expect(timing([9, 1, 5])).toEqual({ minMs: 1, medianMs: 5 });
    expect(timing([4])).toEqual({ minMs: 4, medianMs: 4 });
    expect(mean([1, 2, 6])).toBe(3);
  });

  test('every candidate runs in every round, each round begins with another, the first round is not counted', async () => {
    const order: string[] = [];
    await compare({ a: () => order.push('a'), b: async () => order.push('b') }, 2);
    expect(order.join('')).toBe('baabba');
  });

  test('every candidate has a sample for each counted round', async () => {
    const samples = await takeTurns({ a: () => {}, b: () => {} }, 3);
    expect([samples.a.length, samples.b.length]).toEqual([3, 3]);
  });

  test('a round that was slow for all does not count as a difference', () => {
    expect(medianOver([110, 1010, 15], [100, 1000, 10])).toBe(10);
  });
});

describe('reporting', () => {
  test('a table is aligned as it is and valid Markdown', () => {
    const table = {
      title: 'T',
      head: ['', 'min'],
      rows: [
        ['one', ms(1.234)],
        ['three', ms(123.4)],
      ],
    };
    expect(renderTable(table)).toBe(`## T

|       |      min |
|-------|---------:|
| one   |  1.23 ms |
| three | 123.4 ms |
`);
  });

  test('a missed goal is printed as such', () => {
    const goal = { what: 'w', target: 'under 1 ms', measured: ms(2), met: false };
    expect(renderTable(goalsTable([goal]))).toContain('| w    | under 1 ms |  2.00 ms | **no** |');
  });

  test('ratios', () => {
    expect([times(1), times(9.94), times(15.6), times(309.2)]).toEqual(['1.0x', '9.9x', '16x', '309x']);
    expect(times(0.987, 2)).toBe('0.99x');
  });
});
