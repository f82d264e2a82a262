import type { Capability } from '../../model/capability.js';
export async function linuxCapabilities(): Promise<Capability[]> {
  return [];
}
