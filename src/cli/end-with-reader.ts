/** A reader that has seen enough (`| head`) is no failure; for commands that have nothing to clean up. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
