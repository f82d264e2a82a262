/** Held back by the launcher, under another name: what Node reads in it takes longer than its start. */
export const held = { name: 'NODE_EXTRA_CA_CERTS', as: 'UNSTUCK_HELD_CERTS' };

/** For programs that this process starts. */
export function giveBackHeld(): void {
  const { [held.as]: value } = process.env;
  if (value === undefined) return;
  process.env[held.name] = value;
  delete process.env[held.as];
}
