import { JetStreamApiError } from '@nats-io/jetstream/internal';
import { describe, expect, it } from 'vitest';
import { explained } from '../../src/fleet/explained.js';

const address = { url: 'nats://server', fleet: 'default', login: {} };
const apiError = (err_code: number, description: string) =>
  new JetStreamApiError({ code: 503, err_code, description });

describe('errors of the NATS server, in words', () => {
  it.each([
    [10008, 'JetStream system temporarily unavailable'],
    [10009, 'JetStream cluster can not handle request'],
  ])('an election is no missing JetStream (%i)', (code, description) => {
    expect(explained(address, apiError(code, description))).toMatchObject({
      code: 'no-fleet',
      message: `the NATS servers at nats://server have no leader at the moment: ${description}`,
      hint: 'try again in a moment; if it lasts, see that most of the servers run: unstuck doctor --fleet',
    });
  });

  it('a server without JetStream is named as such', () => {
    expect(explained(address, apiError(10039, 'jetstream not enabled for account'))).toMatchObject({
      hint: 'is JetStream switched on? nats-server -js',
    });
  });
});
