import { utf8Form } from '../../workspace/document-snapshot.ts';
import { applySpanEdits } from '../../workspace/span.ts';
import { encodeChange, encodeText } from '../../workspace/text-encoding.ts';
import { type PlannedFile, textOf } from '../change-request.ts';
import { type Refusal, refuse } from '../refusal.ts';

type Encoded = { readonly status: 'encoded'; readonly bytes: Uint8Array } | Refusal;

/** The bytes that a file is to have, in the encoding that it has; a new file in the one that the project asks for. */
export function encodePlan(plan: Exclude<PlannedFile, { op: 'remove' }>): Encoded {
  if (plan.bytes) return { status: 'encoded', bytes: plan.bytes };
  const { found, shown } = plan.file;
  if (plan.edits.some(({ newText }) => newText.includes('\0'))) {
    const why = 'the new text has a NUL character, and with it the file would be a binary one that can not be edited';
    return refuse('binary', `${shown}: ${why}. Write the character as an escape, or make the file with Bash.`);
  }
  if (!found) return encodeNew(plan, '');
  if (plan.edits.length === 0) return { status: 'encoded', bytes: found.bytes };
  const text = textOf(found);
  if (text.status === 'refused') return text;
  if (plan.op === 'write' && plan.isNew) return encodeNew(plan, text.snapshot.text);
  const encoded = encodeChange(found.bytes, text.snapshot, plan.edits);
  return encoded.status === 'refused' ? refuse('encoding', `${shown}: ${encoded.message}`) : encoded;
}

function encodeNew({ file, edits }: Exclude<PlannedFile, { op: 'remove' }>, before: string): Encoded {
  const form = file.style?.form ?? utf8Form();
  const text = applySpanEdits(before, edits);
  const nothing = { text: '', form: { ...form, hasBom: false } };
  const check = encodeChange(new Uint8Array(), nothing, [{ start: 0, end: 0, newText: text }]);
  if (check.status === 'refused') {
    return refuse('encoding', `${file.shown}: ${check.message}, or change the charset that .editorconfig asks for.`);
  }
  return { status: 'encoded', bytes: encodeText(text, form) };
}
