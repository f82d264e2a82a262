import { describe, expect, test } from 'vitest';
import { renderDoctor } from '../../../../src/cli/commands/doctor/doctor.js';
import { type DoctorReport, summarize } from '../../../../src/control/doctor.js';
import type { Capability } from '../../../../src/model/facts/capability.js';
import { capabilitiesByRight } from '../../../../src/probe/linux/doctor/rights.js';

const normal = { root: false, tracer: false };
const root = { root: true, tracer: true };

function rule(capabilities: Capability[]): Capability | undefined {
  return capabilities.find(({ name }) => name === 'tracing rule (Yama)');
}

describe('what Yama allows', () => {
  test.each([
    [null, normal, 'yes'],
    [0, normal, 'yes'],
    [1, normal, 'partly'],
    [2, normal, 'no'],
    [3, normal, 'no'],
    [1, root, 'yes'],
    [2, root, 'yes'],
    [3, root, 'no'],
  ])('ptrace_scope %j for %j: %s', (yama, rights, status) => {
    expect(rule(capabilitiesByRight({ ...rights, yama }))).toMatchObject({ status });
  });

  test('prints the value, its meaning and what helps', () => {
    expect(rule(capabilitiesByRight({ ...normal, yama: 1 }))).toEqual({
      name: 'tracing rule (Yama)',
      status: 'partly',
      finding: 'ptrace_scope 1: only at descendants, except for root',
      costs: 'system calls and memory of those processes stay hidden',
      fix: 'ask as root, or once: sudo sysctl kernel.yama.ptrace_scope=0',
    });
  });
});

const yes: Capability = { name: 'open files', status: 'yes', finding: 'of children', costs: '', fix: '' };
const no: Capability = {
  name: 'memory',
  status: 'no',
  finding: 'not permitted',
  costs: 'owners of locks are not known',
  fix: 'ask as root: sudo unstuck why PID',
};

describe('the sentence at the end', () => {
  test('nothing missing', () => {
    expect(summarize([])).toBe('Everything Unstuck needs is available.');
  });

  test('only others are out of reach', () => {
    expect(summarize([{ ...no, name: 'processes of other users' }])).toBe(
      'Everything Unstuck needs for your own processes is available. For processes of other users, ask as root: sudo unstuck why PID.',
    );
  });

  test('something of our own is out of reach', () => {
    expect(summarize([{ ...no, fix: '' }, no])).toBe(
      'Unstuck works here with limits, missing: memory, memory. What helps most: ask as root: sudo unstuck why PID.',
    );
    expect(summarize([{ ...no, fix: '' }])).toBe(
      'Unstuck works here with limits, missing: memory. This cannot be changed on this machine.',
    );
  });
});

describe('the table', () => {
  const report: DoctorReport = {
    machine: { kernel: 'Linux 6.1', arch: 'x64', node: 'v20.19.0', probe: 'linux', user: 'ada' },
    capabilities: [yes, no],
    complete: false,
    summary: summarize([no]),
  };

  test('a line for each capability, more only where something is missing', () => {
    expect(renderDoctor(report, false)).toBe(
      `What Unstuck can see here, as ada   Linux 6.1, x64, Node.js v20.19.0

  yes     open files  of children
  no      memory      not permitted
                      costs: owners of locks are not known
                      fix:   ask as root: sudo unstuck why PID

Unstuck works here with limits, missing: memory. What helps most: ask as root: sudo unstuck why PID.
`,
    );
  });

  test('in colour', () => {
    expect(renderDoctor(report, true)).toContain('\x1b[31mno    \x1b[39m');
  });
});
