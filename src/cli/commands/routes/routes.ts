import { routes, type ShownRoute, testRoute } from '../../../control/routes.js';
import { printable } from '../../../text/printable.js';
import { jsonDocument } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';

export interface RoutesFlags {
  test?: string | undefined;
  tag?: string[] | undefined;
  json?: true | undefined;
}

/** `unstuck routes`. */
export async function runRoutes({ test, tag, json }: RoutesFlags): Promise<void> {
  endWithReader();
  try {
    if (test !== undefined) {
      await testRoute(test, tag);
      process.stdout.write(
        json ? jsonDocument({ route: test, delivered: true }) : `delivered over ${test}\n`,
      );
      return;
    }
    const all = routes();
    process.stdout.write(json ? jsonDocument(all) : shown(all));
  } catch (error) {
    fail(error, json === true);
  }
}

function shown({ file, routes: all }: { file: string; routes: ShownRoute[] }): string {
  if (all.length === 0) return `no routes in ${printable(file)}\nnext: unstuck routes --help\n`;
  const lines = all.map(({ name, match, kinds, to }) => {
    const which = Object.entries(match).map(([key, pattern]) => `${key} ${pattern}`);
    return printable(`${name}: ${kinds.join(', ')} of ${which.join(', ') || 'all runs'}, to ${to}`);
  });
  return `${lines.join('\n')}\nfrom ${printable(file)}\n`;
}
