export async function runDoctor(_f: unknown): Promise<void> {}
