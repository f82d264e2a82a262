import { background } from '../../control/background.js';
import { runIdPattern } from '../../model/run/run-id.js';
import type { ToolContext } from '../tool.js';

interface FullIds {
  ids: string[];
  /** Which run was taken where a label fits several. */
  notes: string[];
}

/** Ids of the runs that are meant, once for a whole call: a label may mean another run a moment later. */
export async function fullIds(
  given: readonly string[],
  all: boolean,
  { session, signal }: Pick<ToolContext, 'session' | 'signal'>,
): Promise<FullIds> {
  const found = await Promise.all(
    given.map((id) =>
      runIdPattern.test(id)
        ? { id, ambiguous: undefined }
        : background.inspect({ id, ...session.scope(all) }, { signal }),
    ),
  );
  const notes = found.flatMap(({ ambiguous }) => (ambiguous === undefined ? [] : [ambiguous.message]));
  return { ids: [...new Set(found.map(({ id }) => id))], notes };
}
