// Stops the run whose options are given, and prints the receipt.
import { MemberScan } from '../../../src/probe/linux/members/members.js';
import { terminate } from '../../../src/run/stop/terminate.js';

const { graceMs, ...run } = JSON.parse(process.argv[2] ?? '');
const scan = new MemberScan(run);
console.log(JSON.stringify(await terminate({ scan, signal: 'SIGTERM', graceMs })));
