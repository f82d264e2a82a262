import { family } from '../hang-case.js';

/** Nobody outside can help: the program waits for itself. */
export const deadlocks = family('deadlock', { label: 'stuck', actor: 'its author' }, [
  'mutex-relock',
  ['mutex-pshared-ab-ba', { quick: true }],
  'mutex-owner-joins',
  'mutex-owner-died',
  'rwlock-writer-joins',
  'join-cycle',
  'fork-while-locked',
  'cpp-ab-ba',
  'cpp-future-never',
  'cpp-static-init',
  'rust-mutex-ab-ba',
  'rust-channel-alone',
  'rust-park',
  'go-ab-ba',
  'go-channels',
  'go-stripped',
  'java-deadlock',
  'java-monitor-circle',
  'java-locks',
  'java-read-write-locks',
  'java-lock-and-monitor',
  ['python-lock-ab-ba', { quick: true }],
  'python-queue-get',
  'python-pool-waits-for-itself',
  'python-fork-locked',
  'python-mp-queue-dead-producer',
  'node-atomics-closed',
  'node-worker-closed',
  'node-fork-both-wait',
  'cond-wait-forever',
  'sem-wait-closed',
  'barrier-short-of-one',
  'flock-ab-ba',
  'flock-parent-waits',
  'mixed-knot',
  'pidns-ab-ba',
]);

export const fullPipes = family('pipe', { label: 'stuck', actor: 'its author' }, [
  ['popen-wait-full-pipe', { quick: true }],
  'pipe-write-deadlock',
  'pipe-ring',
  'own-pipe-read',
  'coproc-knot',
  'popen-feed-never-closed',
  'leaked-pipe-end-knot',
  'socketpair-cycle',
]);

export const sleepers = family('nothing wakes it', { label: 'stuck', actor: 'its author' }, [
  'poll-nothing',
  'epoll-fired-pipe',
  ['python-asyncio-never', { quick: true }],
]);
