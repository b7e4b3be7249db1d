/** An edit with its one right outcome, a JSON object a line in a case file. */
export interface EditCase {
  readonly id: string;
  readonly class: string;
  readonly lang: string;
  readonly path: string;
  readonly before: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
  readonly expect: 'apply' | 'reject';
  readonly after: string | null;
  readonly note?: string;
  /** Both outcomes are right; only a wrong change counts. */
  readonly may_refuse?: boolean;
}

/** @throws SyntaxError where a line is no JSON */
export function parseCases(jsonLines: string): readonly EditCase[] {
  return jsonLines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as EditCase);
}
