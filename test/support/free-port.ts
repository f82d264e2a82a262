import net from 'node:net';

/** Below the ports that the kernel gives to programs that ask for any: until it is used, no other program gets it. */
const [from, count] = [10_000, 20_000];

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const port = from + Math.floor(Math.random() * count);
  const isFree = await new Promise<boolean>((resolve) => {
    const server = net.createServer().once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}
