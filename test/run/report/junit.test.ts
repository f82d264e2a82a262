import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { renderJunit } from '../../../src/run/report/render-junit.js';
import { anyReport } from './any-report.js';
import { canReadXml, checkXml, readXml, xmlChecker } from './check-xml.js';
import { breaches } from './junit-rules.js';
import { failedAttempt, reportWith, stuckReport } from './sample-report.js';

const nasty = [
  '\u001b[31mred\0',
  '```',
  'a ]]> b',
  '<script>alert(1)</script>',
  'half \ud800 pair',
  'tab\there',
];

describe('JUnit', () => {
  it('a passed run is a test case without a failure, with its last lines', () => {
    const xml = renderJunit(reportWith());
    expect(xml).toContain('tests="1" failures="0" errors="0"');
    expect(xml).toContain('<testcase name="npm test" classname="unstuck" time="182.000">');
    expect(xml).toContain('timestamp="2026-01-02T03:04:05"');
    expect(xml).toContain('<system-out>142 passed\ndone</system-out>');
    expect(xml).not.toMatch(/<failure|<error/);
  });

  it.skipIf(!canReadXml)('exit code 3 is a failure', () => {
    const parsed = readXml(
      renderJunit(reportWith({ exit: { code: 3, signal: null, provenance: 'recorded' }, exitCode: 3 })),
    );
    expect(parsed.found).toEqual([{ type: 'exited', message: 'exit code 3' }]);
    expect(parsed.body[0]).toContain('Ended by itself with exit code 3');
  });

  it('a run that passed at its second attempt is a flaky case, one that never passed a failure with reruns', () => {
    const flaky = renderJunit(reportWith({ attempts: [failedAttempt], flaky: true }));
    expect(flaky).toContain('tests="1" failures="0" errors="0"');
    expect(flaky).toContain(
      '<flakyFailure type="exited" message="exit code 1"><stackTrace>Ended by itself with exit code 1 after 2 s.\nReport: /runs/a/report.json</stackTrace><system-out>1 failed</system-out></flakyFailure>',
    );
    expect(flaky).toContain('<property name="flaky" value="true"/>');
    const exit = { code: 1, signal: null, provenance: 'recorded' as const };
    const failed = renderJunit(reportWith({ exit, exitCode: 1, attempts: [failedAttempt] }));
    expect(failed).toMatch(
      /<failure type="exited" message="exit code 1, after 2 attempts">.*<rerunFailure /s,
    );
    expect(failed).toContain('failures="1"');
  });

  it.skipIf(!canReadXml)('what was stopped is an error with the reason, the evidence and what to do', () => {
    const parsed = readXml(renderJunit(stuckReport));
    expect(parsed.found).toEqual([{ type: 'stuck', message: 'vi waits for a person to type' }]);
    const [body] = parsed.body;
    expect(body).toContain('blocked in pselect6');
    expect(body).toContain('prevent it next time: GIT_EDITOR=true');
    expect(body).not.toContain('kill 4393');
    expect(body).toContain('  142 passed\n  done');
  });

  it.skipIf(!canReadXml)('a parser gets every character back that XML can hold', () => {
    const label = 'a "b" <c> & \'d\'\n\te ]]> 😀';
    const { case: attributes, out } = readXml(renderJunit(reportWith({ label, lastLines: nasty })));
    expect(attributes.name).toBe(label);
    expect(out).toEqual([
      [
        '\\x1b[31mred\\x00',
        '```',
        'a ]]> b',
        '<script>alert(1)</script>',
        'half \ufffd pair',
        'tab\there',
      ].join('\n'),
    ]);
  });

  const whenChecked = xmlChecker === null ? property.skip : property;
  whenChecked.prop([fc.array(anyReport, { minLength: 30, maxLength: 30 })], { numRuns: 15 })(
    'any text in any field is well-formed XML',
    (reports) => checkXml(reports.map(renderJunit)),
    60_000,
  );

  it.skipIf(xmlChecker === null)('the check of the check: what is not XML is refused', () => {
    expect(() => checkXml(['<a>]]></a>'])).toThrow();
    expect(() => checkXml(['<a>&#0;</a>'])).toThrow();
  });

  it('has only what the schema of Jenkins (junit-10) knows, where it knows it', () => {
    for (const report of [reportWith(), stuckReport]) expect(breaches(renderJunit(report))).toEqual([]);
    expect(breaches('<testsuites skipped="0"><testcase name="a"/></testsuites>')).toEqual([
      'testsuites has skipped',
      'testcase in testsuites',
    ]);
    expect(breaches('<testsuites><testsuite name="a" tests="1" time="x"/></testsuites>')).toEqual([
      'testsuite has no failures',
      'testsuite has no errors',
      'time of testsuite is x',
    ]);
  });

  property.prop([anyReport])('keeps to the schema with any text in any field', (report) => {
    expect(breaches(renderJunit(report))).toEqual([]);
  });
});
