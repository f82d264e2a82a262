import pc from 'picocolors';
import { type DoctorReport, doctor } from '../../../control/doctor.js';
import { doctorOn, type PlaceDoctorReport } from '../../../control/elsewhere/doctor-there.js';
import type { FleetDoctorReport } from '../../../control/fleet/doctor.js';
import type { Capability } from '../../../model/facts/capability.js';
import { useColor } from '../../output/color.js';
import { wrapToWidth } from '../../output/display-width.js';
import { jsonDocument } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';

type Colors = ReturnType<typeof pc.createColors>;

const statusColors = { yes: 'green', partly: 'yellow', no: 'red' } as const;
const statusWidth = 'partly'.length;
/** With less room, findings stand below the names. */
const findingColumnsMin = 24;

interface View {
  colors: Colors;
  /** Infinity: nothing is wrapped. */
  columns: number;
}

/** What was found stands beside the name, or below it where a terminal is narrow. */
function renderRow(row: Capability, nameWidth: number, { colors, columns }: View): string[] {
  const { name, status, finding, costs, fix } = row;
  const lead = `  ${colors[statusColors[status]](status.padEnd(statusWidth))}  `;
  const wide = 2 + statusWidth + 2 + nameWidth + 2;
  const isNarrow = columns < wide + findingColumnsMin;
  const indent = isNarrow ? 2 + statusWidth + 2 : wide;
  const below = (title: string, text: string): string[] =>
    wrapToWidth(text, columns - indent - title.length).map(
      (line, index) =>
        `${' '.repeat(indent)}${index === 0 ? colors.dim(title) : ' '.repeat(title.length)}${line}`,
    );
  const [first = '', ...more] = below('', finding);
  const lines = isNarrow
    ? [`${lead}${name}`, first, ...more]
    : [`${lead}${name.padEnd(nameWidth)}  ${first.trimStart()}`, ...more];
  if (status === 'yes') return lines;
  if (costs !== '') lines.push(...below('costs: ', costs));
  if (fix !== '') lines.push(...below('fix:   ', fix));
  return lines;
}

/** The findings for a terminal: one line each, more only where something is missing. */
export function renderDoctor(report: DoctorReport, color: boolean, columns?: number): string {
  const { machine } = report;
  const heading = `What Unstuck can see here, as ${machine.user}`;
  const where = `${machine.kernel}, ${machine.arch}, Node.js ${machine.node}${machine.probe === 'linux' ? '' : `, ${machine.probe} probe`}`;
  return renderFindings(heading, where, report, { color, columns });
}

/** The findings about another place, in the same form. */
export const renderPlaceDoctor = (report: PlaceDoctorReport, color: boolean, columns?: number) =>
  renderFindings(`What Unstuck can do in ${report.place}`, report.system, report, { color, columns });

/** The findings about a fleet, in the same form. */
const renderFleetDoctor = (report: FleetDoctorReport, color: boolean, columns?: number) =>
  renderFindings(`The fleet ${report.fleet}`, report.server, report, { color, columns });

type Findings = Pick<DoctorReport, 'capabilities' | 'summary' | 'complete'>;

function renderFindings(
  heading: string,
  where: string,
  { capabilities, summary, complete }: Findings,
  { color, columns = Number.POSITIVE_INFINITY }: { color: boolean; columns: number | undefined },
): string {
  const colors = pc.createColors(color);
  const nameWidth = Math.max(...capabilities.map(({ name }) => name.length));
  return [
    `${colors.bold(heading)}   ${colors.dim(where)}`,
    '',
    ...capabilities.flatMap((row) => renderRow(row, nameWidth, { colors, columns })),
    '',
    colors.bold(complete ? colors.green(summary) : colors.yellow(summary)),
    '',
  ].join('\n');
}

interface DoctorFlags {
  json?: true | undefined;
  on?: string | undefined;
  fleet?: true | undefined;
}

/** `unstuck doctor`. */
export async function runDoctor(flags: DoctorFlags): Promise<void> {
  endWithReader();
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  try {
    if (flags.on !== undefined) {
      const there = await doctorOn(flags.on);
      process.stdout.write(flags.json ? jsonDocument(there) : renderPlaceDoctor(there, useColor(), columns));
      return;
    }
    if (flags.fleet) {
      const { fleetDoctor } = await import('../../../control/fleet/doctor.js');
      const found = await fleetDoctor();
      process.stdout.write(flags.json ? jsonDocument(found) : renderFleetDoctor(found, useColor(), columns));
      return;
    }
    const report = await doctor();
    process.stdout.write(flags.json ? jsonDocument(report) : renderDoctor(report, useColor(), columns));
  } catch (error) {
    fail(error, flags.json === true);
  }
}
