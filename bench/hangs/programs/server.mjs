// A server on loopback; prints its port. late MS: answers after that time. throttled MS: 20 bytes that often, for ever.
// unauthorized: wants a user name.
import { createServer } from 'node:http';

const [mode = '', ms] = process.argv.slice(2);

/** @type {Record<string, (response: import('node:http').ServerResponse) => unknown>} */
const answers = {
  late: (response) => setTimeout(() => response.end('done\n'), Number(ms)),
  throttled: (response) => setInterval(() => response.write('x'.repeat(20)), Number(ms)),
  unauthorized: (response) => response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end(),
};

const server = createServer((_, response) => answers[mode]?.(response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
