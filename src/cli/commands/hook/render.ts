import type { HookPlan } from '../../../control/hooks/install.js';
import type { HookStatus } from '../../../control/hooks/status.js';
import { printable } from '../../../text/printable.js';

const signs: Record<HookPlan['change'], string> = { create: '+', edit: '+', remove: '-', none: ' ' };

function headOf({ agent, file, change }: HookPlan): string {
  const name = printable(file);
  switch (change) {
    case 'create':
      return `${name} does not exist and will be created:`;
    case 'edit':
      return `${name} will be changed:`;
    case 'remove':
      return `${name} will be removed:`;
    case 'none':
      return `${name}: nothing to do for ${agent}`;
  }
}

/** What will be done to which file. */
export function planLines(plan: HookPlan, isUninstall = false): string[] {
  const sign = isUninstall ? '-' : signs[plan.change];
  return [headOf(plan), ...plan.lines.map((line) => `${sign} ${printable(line.replaceAll('\t', '  '))}`)];
}

/** After it was done. */
export function doneWords({ change, afterwards }: HookPlan): string[] {
  return [
    change === 'remove' ? 'removed' : 'written',
    ...(afterwards === undefined ? [] : [`next: ${afterwards}`]),
  ];
}

export function statusLines(all: readonly HookStatus[]): string[] {
  const shown = all.filter(({ installed, detail }) => installed || detail !== null);
  if (shown.length === 0) return ['no agent has the hook', 'next: unstuck hook install claude'];
  return shown.flatMap(({ agent, project, file, installed, detail }) => [
    `${agent}, ${project === null ? 'user' : 'project'}: ${installed ? 'installed' : 'not installed'} in ${printable(file)}`,
    `  ${printable(detail ?? '')}`,
  ]);
}
