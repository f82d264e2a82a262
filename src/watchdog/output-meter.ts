/** Sockets count what they have received; Node makes the pipes of a child as such. */
function bytesRead(stream: NodeJS.ReadableStream): number | null {
  const bytes = 'bytesRead' in stream ? stream.bytesRead : null;
  return typeof bytes === 'number' ? bytes : null;
}

/**
 * Tells whether anything has come from these streams since it was asked last. A listener for `data` would start a
 * stream that its owner has not begun to read, and lose what comes: where the stream counts, only the count is
 * looked at. One that does not count is listened to once its owner lets it flow.
 */
export function outputMeter(streams: readonly NodeJS.ReadableStream[]): () => boolean {
  let chunks = 0;
  const count = () => {
    chunks += 1;
  };
  for (const stream of streams) {
    if (bytesRead(stream) !== null) continue;
    if ('readableFlowing' in stream && stream.readableFlowing === true) stream.on('data', count);
    else stream.once('resume', () => stream.on('data', count));
  }
  const total = () => streams.reduce((sum, stream) => sum + (bytesRead(stream) ?? 0), chunks);
  let before = total();
  return () => {
    const now = total();
    const hasMoved = now !== before;
    before = now;
    return hasMoved;
  };
}
