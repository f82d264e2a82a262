import fs from 'node:fs';
import path from 'node:path';
import { Deliveries, deliveredUpTo } from '../../src/notices/deliveries.js';
import { NoticeLog } from '../../src/store/notices/notice-log.js';
import { RunDirectory } from '../../src/store/run-directory.js';
import { draft, runId } from '../store/notices/notice-drafts.js';

/** A daemon for one run: delivers what was left, then tells what is found, and says each before it is pushed. */
const [home = '', command = '', from = '', to = ''] = process.argv.slice(2);
const log = NoticeLog.open(home);
const directory = new RunDirectory(path.join(home, 'runs'), runId);
const wishes = { command, webhook: null };
const { notices } = log.since(deliveredUpTo(directory, wishes), 10_000, { runId });
const deliveries = new Deliveries();
deliveries.add({ directory, cwd: home, wishes, notices });
for (let at = Number(from); at <= Number(to); at++) {
  const notice = log.append(draft(`k${at}`), Date.now());
  fs.writeSync(1, `${at}\n`);
  if (notice !== null) deliveries.push(notice);
}
setInterval(() => deliveries.pending() === 0 && process.exit(0), 5);
