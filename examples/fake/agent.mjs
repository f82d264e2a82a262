// Stands in for an agent CLI: prints events as JSON lines, and then ends, or hangs as one that waits for ever.
const hangs = process.argv.includes('--hang');
const events = [
  { type: 'system', subtype: 'init', session_id: 'example' },
  {
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Looking at the tests.' }] },
  },
];
for (const event of events) console.log(JSON.stringify(event));
if (hangs) process.stdin.resume();
else console.log(JSON.stringify({ type: 'result', subtype: 'success', result: 'All tests pass.' }));
