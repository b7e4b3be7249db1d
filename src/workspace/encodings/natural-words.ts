/** What the letters above ASCII look like when bytes are read in one encoding. */
interface WordShape {
  /** Characters above ASCII that are letters. */
  readonly letters: number;
  /** Others that prose has few of; quotes, dashes and the like are not counted. */
  readonly oddities: number;
  /** Words with letters above ASCII. */
  readonly words: number;
  /** Those of one script that are written small, with one capital, or in capitals. */
  readonly natural: number;
  /** Those in which ASCII letters stand too. */
  readonly joined: number;
  /** Those of one small letter, as in French and the Nordic languages. */
  readonly single: number;
}

const NEUTRAL = /[\u00a0«»°§€„‘’“”–—…·•©®™±×²³\u00ad¡¿]/u;
const SCRIPTS = [
  /^\p{Script=Latin}+$/u,
  /^\p{Script=Cyrillic}+$/u,
  /^\p{Script=Greek}+$/u,
  /^\p{Script=Hebrew}+$/u,
  /^\p{Script=Arabic}+$/u,
];

/** Looks at every word that has a letter above ASCII. Bytes read in the wrong encoding rarely form words. */
export function wordShapeOf(text: string): WordShape {
  let [letters, oddities, words, natural, joined, single] = [0, 0, 0, 0, 0, 0];
  for (const [high] of text.matchAll(/[^\x00-\x7f]/gu)) {
    if (/\p{L}|\p{M}/u.test(high) && high !== 'ƒ') letters += 1;
    else if (!NEUTRAL.test(high)) oddities += 1;
  }
  for (const [word] of text.matchAll(/(?<![\p{L}\p{M}])[\p{L}\p{M}]*[^\x00-\x7f\P{L}][\p{L}\p{M}]*/gu)) {
    words += 1;
    if (SCRIPTS.some((script) => script.test(word)) && /^(?:\p{Lu}?[^\p{Lu}]*|\p{Lu}+)$/u.test(word)) natural += 1;
    if (/[A-Za-z]/.test(word)) joined += 1;
    else if (/^[àáèéíóôùúöåæø]$/u.test(word)) single += 1;
  }
  return { letters, oddities, words, natural, joined, single };
}
