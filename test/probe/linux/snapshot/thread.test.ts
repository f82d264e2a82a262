import { expect, test } from 'vitest';
import { leaderFirst } from '../../../../src/probe/linux/snapshot/thread.js';

test('the leader comes first where numbers get longer, and where they begin anew', () => {
  expect(leaderFirst([10_001, 10_002, 9998, 9999], 9998)).toEqual([9998, 9999, 10_001, 10_002]);
  expect(leaderFirst([300, 301, 32_767], 32_767)).toEqual([32_767, 300, 301]);
  expect(leaderFirst([300, 301, 32_760, 32_762, 32_763], 32_760)).toEqual([32_760, 32_762, 32_763, 300, 301]);
});
