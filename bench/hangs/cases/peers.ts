import { family } from '../hang-case.js';

/** The other side is there or not, but no byte comes within the patience of ten minutes. */
export const silentPeers = family(
  'peer that never answers',
  { label: 'stuck', actor: 'the other side', kinds: ['network'] },
  [
    'recv-silent-server',
    'curl-silent-server',
    'python-http-silent',
    'node-fetch-silent',
    'go-http-client-silent',
    'java-client',
    'connect-full-backlog',
    'peer-does-not-read',
    {
      name: 'half-open-connection',
      why: 'the peer is gone and could not say so: its end was removed without a packet (TCP_REPAIR).',
      run: ['{bin}/tcp-client', '{port}', 'recv'],
      outside: ['python3', '{hangs}/half-open.py'],
      rootOnly: 'removes one end of a connection',
      stdin: 'null',
      kinds: ['network'],
    },
    ['recv-stopped-server', { kinds: ['stopped'], actor: 'whoever stopped it' }],
  ],
);
