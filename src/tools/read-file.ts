import { extname } from 'node:path';
import { refuse } from '../broker/refusal.ts';
import { rememberRead, undoneNote } from '../broker/session-ledger.ts';
import type { OpenDocument } from '../workspace/documents.ts';
import { readByteOrderMark } from '../workspace/encodings/byte-order-mark.ts';
import { looksBinary } from '../workspace/encodings/looks-binary.ts';
import { recogniseEncoding } from '../workspace/encodings/recognise-encoding.ts';
import { utf16WithoutMark } from '../workspace/encodings/utf-16-without-mark.ts';
import { type ByteForm, pageOfFile } from '../workspace/file-page.ts';
import { type PageRequest, pageOfText } from '../workspace/text-page.ts';
import type { Answer } from './answer.ts';
import type { NamedPath } from './named-path.ts';
import { isNamedImage, readImage, refuseLargeBinary } from './read-image.ts';
import { pageFacts, pageText, pastTheEnd } from './read-page.ts';
import type { ToolCall, ToolResult } from './tool.ts';

/** Above this a file is paged from the store and never held whole. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;
const SAMPLE_BYTES = 64 * 1024;

/** The asked lines of a text file, or an image; a binary file is refused with what it is. */
export async function readFile(
  call: ToolCall,
  place: NamedPath,
  request: PageRequest,
  answer: Answer,
): Promise<ToolResult> {
  if (place.stat.size > MAX_HELD_BYTES) {
    const result = await readLargeFile(call, place, request, answer);
    return { ...result, looked: [{ path: place.shown, why: 'too_large' }] };
  }
  const { store, documents } = call.session.root;
  const opened = await documents.open(place.path, call.signal);
  let bytes = opened.status === 'open' ? opened.document.bytes : undefined;
  const looked = (result: ToolResult): ToolResult => ({
    ...result,
    ...(bytes && { looked: [{ path: place.shown, bytes }] }),
  });
  if (opened.status !== 'open' || isNamedImage(place.path)) {
    const content = await store.read(place.path, call.signal);
    const isText = opened.status === 'open';
    bytes = content.kind === 'file' ? content.bytes : bytes;
    const image = content.kind === 'file' && (await readImage(place, { bytes: content.bytes, isText }, answer));
    if (image) return looked(image);
  }
  if (opened.status !== 'open') {
    const why = opened.status === 'encoding' ? opened.message : 'it is no text';
    return looked(await answer.refused(refuse(opened.status, `${place.shown}: ${why}`)));
  }
  return looked(await readText(call, { place, document: opened.document }, request, answer));
}

async function readText(
  call: ToolCall,
  { place, document }: { readonly place: NamedPath; readonly document: OpenDocument },
  request: PageRequest,
  answer: Answer,
): Promise<ToolResult> {
  const { diagnostics } = call.session.root;
  const { snapshot } = document;
  diagnostics.warmUp(snapshot);
  const named = isNamedImage(place.path) ? `note: named ${extname(place.path)}, but its content is text` : undefined;
  const notes = [place.note, named, undoneNote(call.session, document)];
  if (snapshot.text === '') return answer.ok(noted(notes, '(empty file)'), { complete: true, total: 0 });
  const page = pageOfText(snapshot.text, request);
  if (page.lines.length === 0) return pastTheEnd(place, request, page, answer);
  rememberRead(call.session, document, [page.first, page.first + page.lines.length - 1]);
  return answer.ok(
    pageText(page, { notes, ...encodingNote(snapshot.form.encoding) }),
    pageFacts(page, request, () => Buffer.byteLength(snapshot.text)),
  );
}

function noted(notes: readonly (string | undefined)[], text: string): string {
  return [...notes, text].filter((line) => line !== undefined).join('\n');
}

async function readLargeFile(
  call: ToolCall,
  place: NamedPath,
  request: PageRequest,
  answer: Answer,
): Promise<ToolResult> {
  const { store } = call.session.root;
  const sample = await store.readBytes(place.path, 0, SAMPLE_BYTES);
  const form = formOf(sample);
  if (form === undefined) return answer.refused(await refuseLargeBinary(place, sample));
  const source = {
    size: place.stat.size,
    read: (start: number, length: number) => store.readBytes(place.path, start, length),
  };
  const page = await pageOfFile(source, form, request, call.signal);
  if (page.lines.length === 0) return pastTheEnd(place, request, page, answer);
  const origin = { notes: [place.note], size: place.stat.size, ...encodingNote(form.encoding) };
  return answer.ok(
    pageText(page, origin),
    pageFacts(page, request, () => place.stat.size),
  );
}

function encodingNote(encoding: string) {
  return encoding === 'utf-8' ? {} : { encoding };
}

/** By its mark; UTF-16 and UTF-8 where the sample is; else a legacy encoding as it is recognised; `undefined`: binary. */
function formOf(sample: Uint8Array): ByteForm | undefined {
  const mark = readByteOrderMark(sample);
  if (mark?.encoding === 'utf-32') return undefined;
  const skip = mark?.bytes.length ?? 0;
  if (mark && mark.encoding !== 'utf-8') return { encoding: mark.encoding, skip };
  const wide = mark ? undefined : utf16WithoutMark(sample);
  if (wide) return { encoding: wide.name, skip };
  const text = withoutHole(sample);
  if (text.length === 0 || text.includes(0)) return undefined;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(text, { stream: true });
    return { encoding: 'utf-8', skip };
  } catch {
    return looksBinary(text) ? undefined : { encoding: legacyName(text), skip };
  }
}

/** Of whole lines, so that no character is cut. */
function legacyName(text: Uint8Array): string {
  const { encoding } = recogniseEncoding(text.subarray(0, text.lastIndexOf(10) + 1 || text.length));
  try {
    return new TextDecoder(encoding.name) && encoding.name;
  } catch {
    return 'windows-1252';
  }
}

/** Without the NUL bytes at its end: a sparse file that begins with text is text. */
function withoutHole(sample: Uint8Array): Uint8Array {
  let end = sample.length;
  while (end > 0 && sample[end - 1] === 0) end--;
  return sample.subarray(0, end);
}
