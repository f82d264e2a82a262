import { expect, test } from 'vitest';
import { cookieName, refusalOf } from '../../src/web/gate.js';
import { Sessions } from '../../src/web/sessions.js';

const sessions = new Sessions();
const session = sessions.redeem(sessions.newToken());

function statusOf(port: number, host: string, origin?: string): number | null {
  const cookie = `${cookieName(port)}=${session}`;
  const headers = { host, cookie, ...(origin !== undefined && { origin }) };
  return refusalOf({ method: 'GET', path: '/', headers }, port, sessions)?.status ?? null;
}

test('a name without a port means port 80, and nothing else', () => {
  expect(statusOf(80, '127.0.0.1', 'http://127.0.0.1')).toBe(null);
  expect(statusOf(80, 'localhost')).toBe(null);
  expect(statusOf(80, '127.0.0.1:80')).toBe(null);
  expect(statusOf(80, 'evil.example')).toBe(403);
  expect(statusOf(80, '127.0.0.1', 'http://evil.example')).toBe(403);
  expect(statusOf(8000, '127.0.0.1')).toBe(403);
});
