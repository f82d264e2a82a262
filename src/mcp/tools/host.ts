import * as z from 'zod/mini';

/** A machine of the fleet; the fleet checks the name. */
export const host = z.optional(z.string());

/** The handle of a run on that machine. */
export const onHost = (name: string | undefined, handle: string) =>
  name === undefined || handle.includes('/') ? handle : `${name}/${handle}`;
