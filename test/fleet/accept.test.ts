import { describe, expect, it } from 'vitest';
import { startInput } from '../../src/cli/commands/start/input.js';
import { type Accept, fleetOperations, isCommandAllowed, needOf, refusal } from '../../src/fleet/accept.js';
import type { OperationName } from '../../src/model/operations/operations.js';

const names = Object.keys(needOf) as OperationName[];

const acceptNothing: Accept = { kinds: [], queues: [], commands: [] };

describe('what a member accepts', () => {
  it('by default nothing that changes anything', () => {
    const allowed = names.filter((name) => refusal('build1', acceptNothing, name, {}) === null);
    expect(allowed).toEqual(names.filter((name) => needOf[name] === 'read'));
    expect(allowed).not.toContain('start');
    expect(allowed).not.toContain('write');
    expect(allowed).not.toContain('kill');
  });

  it('only the kinds that were given', () => {
    const accept = { ...acceptNothing, kinds: ['kill' as const] };
    expect(refusal('build1', accept, 'kill', { id: 'x' })).toBeNull();
    expect(refusal('build1', accept, 'submit', { id: 'x' })?.message).toBe(
      'build1 accepts no input from other machines',
    );
  });

  it('operations of the same machine from no other one', () => {
    const all = { ...acceptNothing, kinds: ['start' as const, 'kill' as const, 'input' as const] };
    expect(refusal('build1', all, 'toolBegan', {})?.code).toBe('not-allowed');
    expect(fleetOperations).not.toContain('toolBegan');
  });

  it('only commands that fit a pattern, as a list of words', () => {
    const accept = { kinds: ['start' as const], queues: [], commands: ['make *'] };
    expect(refusal('b', accept, 'start', { command: ['make', 'test'] })).toBeNull();
    expect(refusal('b', accept, 'start', { command: ['rm', '-rf'] })?.code).toBe('not-allowed');
    // A shell line may hide a second command, and a notice starts one.
    expect(isCommandAllowed(accept, { command: 'make test; rm -rf x' })).toBe(false);
    // So do variables, another place, a file for a report, and what was started before.
    for (const more of [{ env: { LD_PRELOAD: 'x.so' } }, { on: 'ssh:h' }, { options: { report: '/x' } }]) {
      expect(refusal('b', accept, 'start', { command: ['make', 'x'], ...more })?.code).toBe('not-allowed');
    }
    expect(refusal('b', accept, 'rerun', { id: 'x' })?.code).toBe('not-allowed');
    expect(refusal('b', accept, 'start', { command: ['make', 'x'], options: { timeout: '1h' } })).toBeNull();
    const notify = { command: 'curl example' };
    // As `unstuck start --host b -- make x` sends it.
    const context = { cwd: '/', env: { LD_PRELOAD: 'x.so' }, umask: 0o22, options: {} };
    const typed = startInput(['make', 'x'], { host: 'b' }, context);
    expect(refusal('b', accept, 'start', typed)).toBeNull();
    expect(refusal('b', accept, 'start', { ...typed, envDeny: ['PATH'] })?.code).toBe('not-allowed');
    expect(refusal('b', accept, 'start', { command: ['make', 'x'], notify })?.code).toBe('not-allowed');
  });
});
