import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, vi } from 'vitest';
import type { ProcessIdentity } from '../../../src/model/facts/identity.js';
import { readRights } from '../../../src/probe/linux/doctor/rights.js';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import type { Case } from '../../fixtures/cases/case.js';
import { cases } from '../../fixtures/cases.js';
import { available } from '../../support/compile.js';
import { findTool } from '../../support/find-tool.js';

/** Why no debugger can look at a process of ours here, or null. */
function tracingDenied(): string | null {
  const { yama, tracer } = readRights();
  return yama === null || yama === 0 || (yama < 3 && tracer) ? null : `ptrace_scope is ${yama}`;
}

/** Skips the test with a reason where the tool or the right to use it is missing; the tool's path otherwise. */
export function needTool(context: TestContext, name: string): string {
  const file = findTool(name);
  const reason = file === null ? `${name} is not installed` : tracingDenied();
  if (file === null || reason !== null) context.skip(reason ?? undefined);
  return file ?? '';
}

/** The case of that name; skips the test with a reason where it cannot run. */
export function needCase(context: TestContext, name: string): Case {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  const reason = available(found);
  if (reason !== null) context.skip(reason);
  return found;
}

/** Puts a script of that name first into PATH; `$5` is the process `gdb` is asked about. */
export function fakeTool(dir: string, name: string, script: string): void {
  const place = join(dir, 'fake-tools');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(place, name), 0o755);
  vi.stubEnv('PATH', `${place}:${process.env.PATH}`);
}

export function identityOf(pid: number): ProcessIdentity {
  const identity = linuxProbe.identify(pid);
  if (identity === null) throw new Error(`no process ${pid}`);
  return identity;
}

/** Processes that have this word in their command line. */
export function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}
