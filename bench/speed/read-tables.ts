import type { Table } from '../report.js';

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** The tables of a report as `npm run bench` prints and saves it. */
export function readTables(markdown: string): Table[] {
  const tables: Table[] = [];
  let title = '';
  let open: Table | null = null;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) title = line.slice(3);
    if (!line.startsWith('|')) {
      open = null;
    } else if (open === null) {
      open = { title, head: cellsOf(line), rows: [] };
      tables.push(open);
    } else if (!/^\|-+/.test(line)) {
      open.rows.push(cellsOf(line));
    }
  }
  return tables;
}
