import { expect, test } from 'vitest';
import { livesOnWords } from '../../../src/cli/output/lives-on.js';
import type { ReceiptEntry } from '../../../src/model/run/receipt.js';

const stopped = (command: string, result: ReceiptEntry['result'] = 'ended'): ReceiptEntry[] => [
  { pid: 7, startTicks: 1, command, because: ['leader'], signals: ['SIGTERM'], result },
];

test.each([
  [
    'docker exec -it web make -j8',
    /client of docker:web: the command there may live on \(make -j8\); to stop it: docker exec web pkill -f '\[m\]ake -j8'/,
  ],
  ['/usr/bin/ssh -p 22 ci@build npm test', /client of ssh:ci@build.*to stop it: ssh ci@build '/],
  ['kubectl exec -n prod web-0 -c app -- make', /to stop it: kubectl exec -n prod web-0 -c app -- pkill/],
])('%s: the command there may live on', (command, words) => {
  expect(livesOnWords(stopped(command)).join()).toMatch(words);
});

test.each(['make -j8', 'docker ps', 'ssh host', 'docker exec web sh -c eval "$(dd bs=1 count=900)"'])(
  '%s: nothing is said',
  (command) => {
    expect(livesOnWords(stopped(command))).toEqual([]);
  },
);

test('a client that survived is not reported as stopped', () => {
  expect(livesOnWords(stopped('docker exec web make', 'survived'))).toEqual([]);
});
