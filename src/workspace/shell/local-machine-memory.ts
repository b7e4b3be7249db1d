import { readFile } from 'node:fs/promises';
import { type MachineMemory, MEMORY_FILES, machineMemory } from './machine-memory.ts';

/** The memory of this machine or container; `undefined` where the system does not tell. */
export async function localMachineMemory(): Promise<MachineMemory | undefined> {
  return machineMemory(await Promise.all(MEMORY_FILES.map((path) => readFile(path, 'latin1').catch(() => ''))));
}
