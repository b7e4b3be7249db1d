import { shortened } from './truncation.ts';
/** What is said of an event; members that are undefined are left out. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Longer values are cut. */
const MAX_VALUE = 2000;
const BARE = /^[\w./:@+,~#-]+$/;
/** What moves a cursor, or turns the direction of writing, is shown as its number. */
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * One line of `name=value`, in the order of the fields (logfmt). A value with anything but letters, digits and a few signs
 * stands in quotes, as JSON has it: nothing in it can begin a new line or pass for another field.
 */
export function logLine(fields: LogFields): string {
  let line = '';
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined) line += `${line === '' ? '' : ' '}${name}=${shown(value)}`;
  }
  return line;
}

function shown(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const cut = shortened(value, MAX_VALUE);
  if (BARE.test(cut)) return cut;
  return JSON.stringify(cut).replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
