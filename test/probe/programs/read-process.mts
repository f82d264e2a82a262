// Bundled by a test and run as another user: prints what the probe says about each process that is named.
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { Failure } from '../../../src/model/failure.js';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';

for (const pid of process.argv.slice(2).map(Number)) {
  try {
    const snapshot = await linuxProbe.snapshot(pid, { gapMs: 20 });
    const { verdict, absent } = whySnapshot(snapshot);
    const counts = {
      processes: snapshot.processes.length,
      changed: snapshot.processes.filter(({ changed }) => changed !== null).length,
    };
    console.log(JSON.stringify({ pid, absent: snapshot.absent, verdict, facts: absent, ...counts }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.log(JSON.stringify({ pid, code: error.code, message: error.message, hint: error.hint }));
  }
}
