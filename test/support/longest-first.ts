import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes a minute and more, as last measured: begun last, it would run alone while other CPUs have nothing to do. */
const longest = [
  'control/background/survives.kernel.test.ts',
  'diagnose/verdicts.kernel.test.ts',
  'cli/commands/run/health.kernel.test.ts',
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
