import { afterEach, expect, test, vi } from 'vitest';
import { giveBackHeld } from '../../src/config/held-certificates.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a variable that was held back is there for programs that are started', () => {
  vi.stubEnv('UNSTUCK_HELD_CERTS', '/no/file');
  vi.stubEnv('NODE_EXTRA_CA_CERTS', undefined);
  giveBackHeld();
  expect(process.env.NODE_EXTRA_CA_CERTS).toBe('/no/file');
  expect(process.env.UNSTUCK_HELD_CERTS).toBeUndefined();
});

test('where none was held back, the own one stays', () => {
  vi.stubEnv('UNSTUCK_HELD_CERTS', undefined);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/own');
  giveBackHeld();
  expect(process.env.NODE_EXTRA_CA_CERTS).toBe('/own');
});
