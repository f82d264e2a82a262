import { expect, test } from 'vitest';
import * as library from '../src/index.js';

test('the library exports what is promised, and nothing by accident', () => {
  expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
    [
      "Failure",
      "WatchdogTimeoutError",
      "agentProfiles",
      "background",
      "doctor",
      "findOrphans",
      "fleet",
      "followNotices",
      "forgetHistory",
      "history",
      "killOrphans",
      "killPort",
      "loadSnapshot",
      "logTo",
      "monitor",
      "parseAgentStream",
      "run",
      "saveSnapshot",
      "supervise",
      "track",
      "watch",
      "watchOrphans",
      "why",
      "whyOn",
      "whySnapshot",
      "whyWithSnapshot",
    ]
  `);
});
