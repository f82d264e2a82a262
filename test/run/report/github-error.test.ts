import { test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { githubError } from '../../../src/run/report/github-error.js';
import { anyReport } from './any-report.js';
import { reportWith, stuckReport } from './sample-report.js';

const onGithub = { GITHUB_ACTIONS: 'true' };

describe('annotation for GitHub Actions', () => {
  it('a single line, escaped as GitHub requires', () => {
    const report = { ...stuckReport, label: 'a,b:c 100%' };
    expect(githubError(report, onGithub)).toBe(
      '::error title=a%2Cb%3Ac 100%25%3A needs input%2C certain::Stopped because it was stuck: vi waits for a person to type.',
    );
  });

  it('nothing elsewhere, nothing when it passed', () => {
    expect(githubError(stuckReport, {})).toBeNull();
    expect(githubError(reportWith(), onGithub)).toBeNull();
  });

  property.prop([anyReport])('no text becomes a second command', (report) => {
    const line = githubError(report, onGithub);
    if (line === null) return;
    expect(line).not.toMatch(/[\r\n]/);
    expect(line.split('::')[1]).toMatch(/^(?:error|warning) title=[^:,]*$/);
  });
});
