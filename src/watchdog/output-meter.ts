/** Sockets count the bytes they received. Node makes the pipes of a child as sockets. */
function bytesRead(stream: NodeJS.ReadableStream): number | null {
  const bytes = 'bytesRead' in stream ? stream.bytesRead : null;
  return typeof bytes === 'number' ? bytes : null;
}

/**
 * Reports whether anything has come from these streams since the last call. A listener for `data` would start a stream
 * that its owner has not begun to read, and lose its data. So only the count is read where the stream has one. A stream
 * without a count gets a listener once its owner lets it flow.
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
