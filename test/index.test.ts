import { expect, test } from 'vitest';
import * as library from '../src/index.js';

test('J3 the library exports what is promised, and nothing by accident', () => {
  expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
    [
      "Failure",
      "background",
      "doctor",
      "followNotices",
      "loadSnapshot",
      "run",
      "saveSnapshot",
      "why",
      "whySnapshot",
      "whyWithSnapshot",
    ]
  `);
});
