import os from 'node:os';
import type { Capability } from '../model/facts/capability.js';
import { chooseProbe, type ProbeName } from '../probe/choose.js';

/** What this machine lets Unstuck see, and what is missing. */
export interface DoctorReport {
  machine: { kernel: string; arch: string; node: string; probe: ProbeName; user: string };
  capabilities: Capability[];
  /** Nothing is missing that is needed for processes of this user. */
  complete: boolean;
  summary: string;
}

/** Missing for every normal user, so the machine is not incomplete without them. */
const onlyForOthers = new Set(['processes of other users', 'hidden processes']);

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** A one-sentence summary. */
export function summarize(missing: readonly Capability[]): string {
  if (missing.length === 0) return 'Everything Unstuck needs is available.';
  const own = missing.filter(({ name }) => !onlyForOthers.has(name));
  const fix = (own.length > 0 ? own : missing).find((one) => one.fix !== '')?.fix;
  if (own.length === 0)
    return `Everything Unstuck needs for your own processes is available. For processes of other users, ${fix}.`;
  const names = own.map(({ name }) => name);
  const some =
    names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
  const what = `Unstuck works here with limits, missing: ${some}.`;
  return fix === undefined
    ? `${what} This cannot be changed on this machine.`
    : `${what} What helps most: ${fix}.`;
}

/** `unstuck doctor` as a function: tries what this machine allows, and reports what each missing right costs. */
export async function doctor(options: { probe?: ProbeName | undefined } = {}): Promise<DoctorReport> {
  const probe = await chooseProbe(options.probe);
  const capabilities = await probe.capabilities();
  const missing = capabilities.filter(({ status }) => status !== 'yes');
  return {
    machine: {
      kernel: `${os.type()} ${os.release()}`,
      arch: process.arch,
      node: process.version,
      probe: probe.name,
      user: userName(),
    },
    capabilities,
    complete: missing.every(({ name }) => onlyForOthers.has(name)),
    summary: summarize(missing),
  };
}
