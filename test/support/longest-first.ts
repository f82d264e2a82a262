import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest, as last measured: begun last, they would run alone while other CPUs have nothing to do. */
const longest = [
  'diagnose/verdicts.kernel.test.ts',
  'diagnose/more-verdicts.kernel.test.ts',
  'control/watchdog/monitor-on.kernel.test.ts',
  'web/dashboard.kernel.test.ts',
  'run/stop/storm.kernel.test.ts',
  'control/background/survives.kernel.test.ts',
  'package/package.kernel.test.ts',
  'probe/linux/runtimes/java/monitors.kernel.test.ts',
  'bench/hangs.kernel.test.ts',
  'run/runners.kernel.test.ts',
  'control/background/outcomes.kernel.test.ts',
  'cli/commands/run/agent-tools.kernel.test.ts',
  'cli/commands/run/health.kernel.test.ts',
  'cli/commands/end-to-end.kernel.test.ts',
  'cli/commands/run/rough.kernel.test.ts',
  'cli/commands/run/transparent.kernel.test.ts',
  'cli/commands/run/screens.kernel.test.ts',
  'probe/portable/portable-probe.kernel.test.ts',
  'control/fleet/fleet.kernel.test.ts',
  'control/fleet/faults.kernel.test.ts',
  'probe/linux/capture/captured-cases.kernel.test.ts',
];

function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}`));
  return at === -1 ? longest.length : at;
}

/** Without a record of earlier runs Vitest begins with the largest files, which are not the longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
