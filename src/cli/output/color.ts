/** A terminal that prints control sequences instead of following them. */
export function isDumb(): boolean {
  return process.env.TERM === 'dumb';
}

/** Whether a stream is a terminal on which the cursor can be moved and a line erased. */
export function canDraw(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !isDumb();
}

/** Colour only on a terminal, and only without NO_COLOR. */
export function useColor(stream: NodeJS.WriteStream = process.stdout): boolean {
  return canDraw(stream) && !process.env.NO_COLOR;
}
