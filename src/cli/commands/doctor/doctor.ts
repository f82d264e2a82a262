import pc from 'picocolors';
import { type DoctorReport, doctor } from '../../../control/doctor.js';
import type { Capability } from '../../../model/facts/capability.js';
import { useColor } from '../../output/color.js';
import { jsonDocument } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';

type Colors = ReturnType<typeof pc.createColors>;

const statusColors = { yes: 'green', partly: 'yellow', no: 'red' } as const;
const statusWidth = 'partly'.length;

function renderRow(row: Capability, nameWidth: number, colors: Colors): string[] {
  const { name, status, finding, costs, fix } = row;
  const indent = ' '.repeat(2 + statusWidth + 2 + nameWidth + 2);
  const lines = [
    `  ${colors[statusColors[status]](status.padEnd(statusWidth))}  ${name.padEnd(nameWidth)}  ${finding}`,
  ];
  if (status === 'yes') return lines;
  if (costs !== '') lines.push(`${indent}${colors.dim('costs:')} ${costs}`);
  if (fix !== '') lines.push(`${indent}${colors.dim('fix:')}   ${fix}`);
  return lines;
}

/** The findings for a terminal: one line each, more only where something is missing. */
export function renderDoctor(report: DoctorReport, color: boolean): string {
  const colors = pc.createColors(color);
  const { machine, capabilities, summary, complete } = report;
  const nameWidth = Math.max(...capabilities.map(({ name }) => name.length));
  const heading = `What Unstuck can see here, as ${machine.user}`;
  const where = `${machine.kernel}, ${machine.arch}, Node.js ${machine.node}${machine.probe === 'linux' ? '' : `, ${machine.probe} probe`}`;
  return [
    `${colors.bold(heading)}   ${colors.dim(where)}`,
    '',
    ...capabilities.flatMap((row) => renderRow(row, nameWidth, colors)),
    '',
    colors.bold(complete ? colors.green(summary) : colors.yellow(summary)),
    '',
  ].join('\n');
}

/** `unstuck doctor`. */
export async function runDoctor(flags: { json?: true | undefined }): Promise<void> {
  endWithReader();
  try {
    const report = await doctor();
    process.stdout.write(flags.json ? jsonDocument(report) : renderDoctor(report, useColor()));
  } catch (error) {
    fail(error, flags.json === true);
  }
}
