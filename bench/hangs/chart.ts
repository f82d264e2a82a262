import type { Contender } from './contenders.js';

const width = 760;
const rowHeight = 46;
const top = 64;
const labelWidth = 250;
const barWidth = 200;
const gap = 40;

const colours = { good: '#2da44e', bad: '#cf222e', empty: '#8c959f33', text: '#57606a', strong: '#0969da' };

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function text(x: number, y: number, content: string, extra = ''): string {
  return `<text x="${x}" y="${y}" ${extra}>${escapeXml(content)}</text>`;
}

function bar(x: number, y: number, share: number, colour: string): string {
  const filled = Math.round(barWidth * share);
  return [
    `<rect x="${x}" y="${y}" width="${barWidth}" height="16" rx="3" fill="${colours.empty}"/>`,
    filled === 0 ? '' : `<rect x="${x}" y="${y}" width="${filled}" height="16" rx="3" fill="${colour}"/>`,
  ].join('');
}

function row({ judge, words, score }: Contender, index: number): string {
  const { found, stuck, falseAlarms, healthy } = score;
  const y = top + index * rowHeight;
  const first = labelWidth;
  const second = labelWidth + barWidth + gap;
  const isOurs = judge === 'unstuck';
  return [
    text(
      labelWidth - 16,
      y + 13,
      words,
      `text-anchor="end"${isOurs ? ` font-weight="700" fill="${colours.strong}"` : ''}`,
    ),
    bar(first, y, stuck === 0 ? 0 : found / stuck, colours.good),
    text(first, y + 31, `${found} of ${stuck}`, 'font-size="11"'),
    bar(second, y, healthy === 0 ? 0 : falseAlarms / healthy, colours.bad),
    text(
      second,
      y + 31,
      falseAlarms === 0 ? `none of ${healthy}` : `${falseAlarms} of ${healthy}`,
      'font-size="11"',
    ),
  ].join('');
}

/** Two bars for everybody: long green and no red is what one wants. Readable on light and on dark. */
export function drawChart(contenders: Contender[]): string {
  const height = top + contenders.length * rowHeight + 8;
  const cases = contenders[0]?.cases.length ?? 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="${colours.text}" role="img" aria-label="Hangs found and false alarms on ${cases} labelled programs">
${text(labelWidth, 22, 'hangs found', 'font-weight="600"')}
${text(labelWidth, 40, 'longer is better', 'font-size="11"')}
${text(labelWidth + barWidth + gap, 22, 'false alarms on healthy programs', 'font-weight="600"')}
${text(labelWidth + barWidth + gap, 40, 'empty is best', 'font-size="11"')}
${contenders.map(row).join('\n')}
</svg>
`;
}
