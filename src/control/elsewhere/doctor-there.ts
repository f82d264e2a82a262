import { available, type Capability } from '../../model/facts/capability.js';
import { findPlace } from '../../places/find-place.js';
import { Place } from '../../places/place.js';
import { PlaceSession } from '../../places/session.js';

/** What can be done in another place. */
export interface PlaceDoctorReport {
  place: string;
  system: string;
  /** How long a request and its answer take. */
  roundTripMs: number;
  capabilities: Capability[];
  complete: boolean;
  summary: string;
}

const question = `
echo "system $(uname -sm)"
echo "home $up_home"
echo "user $(id -un 2>/dev/null || id -u)"
for t in setsid script fallocate; do command -v $t >/dev/null 2>&1 && echo "has $t"; done
[ -r /proc/1/stat ] && echo "has init"
df -Pk "$up_home" 2>/dev/null | { read -r x; read -r a b c free x; echo "free $free"; }
:`;

/** Checks another place. Throws a Failure when it cannot be used at all. */
export async function doctorOn(
  text: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<PlaceDoctorReport> {
  const session = new PlaceSession(new Place(findPlace(text, env), env));
  try {
    const { text: answer } = await session.request(question);
    const startMs = performance.now();
    await session.request(':');
    const roundTripMs = Math.round((performance.now() - startMs) * 10) / 10;
    const lines = answer.split('\n');
    const value = (word: string) =>
      lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
    const has = (tool: string) => lines.includes(`has ${tool}`);
    const capabilities = [
      row('connection', true, `answers in ${roundTripMs} ms, as ${value('user')}`, '', ''),
      row(
        'directory for runs',
        true,
        `${value('home')}, ${Math.round(Number(value('free')) / 1024)} MB free`,
        '',
        '',
      ),
      row(
        'own sessions',
        has('setsid'),
        'setsid',
        'signals of a terminal may reach more than the command',
        'install util-linux there',
      ),
      row(
        'terminals',
        has('script'),
        'script',
        'start --pty does not work there',
        'install util-linux or bsdutils there',
      ),
      row(
        'disk space',
        has('fallocate'),
        'fallocate',
        'logs there are freed only when a run ends',
        'install util-linux there',
      ),
    ];
    const missing = capabilities.filter(({ status }) => status !== 'yes');
    const names = missing.map(({ name }) => name).join(', ');
    return {
      place: session.place.name,
      system: value('system'),
      roundTripMs,
      capabilities,
      complete: missing.length === 0,
      summary:
        missing.length === 0
          ? 'Everything Unstuck needs is there.'
          : `Runs work there with limits, missing: ${names}.`,
    };
  } finally {
    session.close();
  }
}

function row(name: string, isThere: boolean, tool: string, costs: string, fix: string): Capability {
  const finding = isThere ? tool : `there is no ${tool}`;
  return isThere ? available(name, finding) : { name, status: 'no', finding, costs, fix };
}
