const LINES = 2000;
const EDITED_LINES = 40;
const FILLER = 'as long as a line of a generated file may be '.repeat(60);

/** Each line says which turn it is of, so that a mixture of two shows; later turns are longer. */
export function killedText(turn: number): string {
  return Array.from({ length: LINES + turn }, (_, line) => `turn ${turn}. ${line}\n`).join('');
}

/** The same on few long lines, as large: what an edit of all of them costs is the writing, not the finding. */
export function editedText(turn: number): string {
  return Array.from({ length: EDITED_LINES }, (_, line) => `turn ${turn}. ${line} ${FILLER}\n`).join('');
}
