// A development server in the foreground: it serves, watches its files, and does not end.
import { watch } from 'node:fs';
import { createServer } from 'node:http';

watch(import.meta.dirname, () => console.log('changed'));
createServer((_, response) => response.end('hello\n')).listen(8099, '127.0.0.1', () => {
  console.log('ready on http://127.0.0.1:8099');
});
