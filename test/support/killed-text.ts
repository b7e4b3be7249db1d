const LINES = 2000;

/** Each line says which turn it is of, so that a mixture of two shows; later turns are longer. */
export function killedText(turn: number): string {
  return Array.from({ length: LINES + turn }, (_, line) => `turn ${turn}. ${line}\n`).join('');
}
