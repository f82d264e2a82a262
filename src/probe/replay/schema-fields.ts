import * as z from 'zod/mini';
import type { Absent } from '../../model/facts/absence.js';

/** Far above what a probe writes, low enough that judging a hostile file takes only seconds. */
export const snapshotLimits = {
  processes: 10_000,
  threadsPerProcess: 20_000,
  fdsPerProcess: 50_000,
  epollTargets: 50_000,
  watchedFds: 65_536,
  sockets: 200_000,
  locks: 100_000,
  alarms: 10_000,
  absences: 100_000,
  pids: 4_194_304,
  mappings: 10_000,
  futexWords: 64,
  goroutineReasons: 256,
  parkedGoroutines: 1_024,
  goroutineThings: 4_096,
  args: 6,
  ringRequests: 65_536,
  chars: 65_536,
} as const;

/** An object that must list every field of T, including optional fields: a new field without a row does not compile. */
export const record =
  <T extends object>() =>
  <const S extends { [K in keyof T]-?: z.ZodMiniType<T[K]> }>(shape: S) =>
    z.object(shape);

export const text = z.string().check(z.maxLength(snapshotLimits.chars));
export const count = z.int().check(z.nonnegative());
export const id = z.int().check(z.minimum(-1), z.maximum(0xffff_ffff));
export const uint32 = z.int().check(z.nonnegative(), z.maximum(0xffff_ffff));
export const duration = z.number();
/** Inode numbers may exceed the range of exact numbers. */
export const inode = z.number();
export const pids = z.array(id).check(z.maxLength(snapshotLimits.pids));
/** These become a BigInt. */
export const address = z.string().check(z.regex(/^0x[0-9a-f]{1,16}$/));
export const signalMask = z.string().check(z.regex(/^[0-9a-f]{1,16}$/));

export const list = <T extends z.ZodMiniType>(item: T, max: number) => z.array(item).check(z.maxLength(max));

export const reason = z.enum([
  'not-permitted',
  'hidden',
  'gone',
  'unsupported',
  'withheld',
  'uncaptured',
  'limit',
  'failed',
]);
const absent = record<Absent>()({ absent: reason });
export const orAbsent = <T extends z.ZodMiniType>(known: T) => z.union([known, absent]);

export const state = z.enum(['R', 'S', 'D', 'T', 't', 'Z', 'X', 'I', 'P', '?']);

/** A field that the first files of a version do not have, with its value when it is missing. */
export const added = <T extends z.ZodMiniType>(field: T, missing: z.output<T>) =>
  z._default(field, missing as z.core.util.NoUndefined<z.output<T>>);
