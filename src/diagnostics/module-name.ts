/** What other files call this one by in an import: its base name, or its folder's where it is the folder's own file. */
export function moduleName(path: string): string {
  const parts = path.split('/');
  const base = (parts.at(-1) ?? '').replace(/(?:\.d)?\.[^.]+$/, '');
  return base === 'index' || base === '__init__' ? (parts.at(-2) ?? base) : base;
}
