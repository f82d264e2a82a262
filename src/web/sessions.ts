import { randomBytes, timingSafeEqual } from 'node:crypto';

const secretBytes = 32;
/** Links that were printed and not used. */
const tokensMax = 8;
/** Browsers that are logged in; the oldest has to log in again. */
const sessionsMax = 32;

/** Access to the dashboard: a link works once and makes a session, which lasts as long as this process. */
export class Sessions {
  #tokens: string[] = [];
  #sessions: string[] = [];

  newToken(): string {
    const token = newSecret();
    this.#tokens = [...this.#tokens, token].slice(-tokensMax);
    return token;
  }

  /** The secret of a new session; null: the token is wrong or was used. */
  redeem(token: string): string | null {
    const known = this.#tokens.find((one) => isSame(one, token));
    if (known === undefined) return null;
    this.#tokens = this.#tokens.filter((one) => one !== known);
    const session = newSecret();
    this.#sessions = [...this.#sessions, session].slice(-sessionsMax);
    return session;
  }

  has(session: string): boolean {
    return this.#sessions.some((one) => isSame(one, session));
  }
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
