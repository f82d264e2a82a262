/** As root all of it has just run (scripts/test.mjs): now only the rights are others, and a part of the longest is enough. */
export const isSecondPass = process.env.UNSTUCK_TEST_SECOND_PASS === '1';
