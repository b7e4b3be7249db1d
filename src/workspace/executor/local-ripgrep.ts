import { readFile } from 'node:fs/promises';

/** The bytes of our own ripgrep, which is linked statically, where it runs on that platform; else nothing. */
export async function bundledRipgrepFor(machine: {
  readonly platform: string;
  readonly arch: string;
}): Promise<Uint8Array | undefined> {
  if (machine.platform !== process.platform || machine.arch !== process.arch) return undefined;
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return await readFile(rgPath);
  } catch {
    // Installed without its optional packages: there is none to bring.
    return undefined;
  }
}
