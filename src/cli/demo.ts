export async function runDemo(_f: unknown): Promise<void> {}
