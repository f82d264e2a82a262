import fs from 'node:fs';
import { NoticeLog } from '../../../src/store/notices/notice-log.js';
import { draft } from './notice-drafts.js';

/** Tells one thing after the other from a number on, and says each that it has been given a number for. */
const [home = '', from = '', noticesMax = ''] = process.argv.slice(2);
const log = NoticeLog.open(home, { limits: { noticesMax: Number(noticesMax) } });
for (let at = Number(from); ; at += 1) {
  const notice = log.append(draft(`k${at}`, { output: 'x'.repeat((at * 97) % 300) }), Date.now());
  if (notice !== null) fs.writeSync(1, `${notice.seq} ${notice.key}\n`);
}
