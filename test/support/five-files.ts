/** Five files as they are at a turn: two that are changed, one that comes and goes, one that moves there and back, one long. */
export function filesAt(turn: number): Readonly<Record<string, string>> {
  return {
    'a.txt': `turn ${turn}.\nkept\n`,
    'sub/b.txt': `head\r\nturn ${turn}.\r\n`,
    'long.txt': `${'a line that stays\n'.repeat(400)}turn ${turn}.\n${'another line\n'.repeat(400)}`,
    ...(turn % 2 === 0 ? { 'here/m.txt': `turn ${turn}.\n` } : { 'there/deep/m.txt': `turn ${turn}.\n` }),
    ...(turn % 2 === 0 ? { 'comes.txt': 'even\n' } : {}),
  };
}

/** The patch that leads from a turn to the next. */
export function turnPatch(turn: number): string {
  const change = [`-turn ${turn}.`, `+turn ${turn + 1}.`];
  const update = (path: string, ...more: readonly string[]): readonly string[] => [
    `*** Update File: ${path}`,
    ...more,
    '@@',
    ...change,
  ];
  const [from, to] = turn % 2 === 0 ? ['here/m.txt', 'there/deep/m.txt'] : ['there/deep/m.txt', 'here/m.txt'];
  return [
    '*** Begin Patch',
    ...update('a.txt'),
    ...update('sub/b.txt'),
    ...update('long.txt'),
    ...update(from, `*** Move to: ${to}`),
    ...(turn % 2 === 0 ? ['*** Delete File: comes.txt'] : ['*** Add File: comes.txt', '+even']),
    '*** End Patch',
  ].join('\n');
}
