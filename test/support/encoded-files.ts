import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';
import type { SpanEdit } from '../../src/workspace/span.ts';
import { decodeText, encodeChange } from '../../src/workspace/text-encoding.ts';

/** A generator of the same numbers for the same seed (mulberry32): at least 0, less than 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** An encoding, with words of a language that is written in it. */
interface Sample {
  readonly encoding: string;
  readonly bom: readonly number[];
  readonly words: readonly string[];
}

const european =
  'la méthode renvoie une chaîne où la clé est créée à la première requête puis vérifiée; für jede Größe wird die ' +
  'Überprüfung ausgeführt und der Schlüssel zurückgegeben; el tamaño mínimo del búfer según la configuración';
const chinese =
  '这个 函数 返回 当前 用户 的 名称 如果 没有 找到 则 抛出 异常 请 注意 参数 不能 为空 否则 会 导致 错误 检查 输入 数据 是否 有效 保存 到 数据库 然后 关闭 连接 更新 缓存';
const japanese =
  'この 関数 は 現在の ユーザー の 名前 を 返します 見つから ない 場合 は 例外 を 投げます 引数 の 値 が 正しい か どうか を 確認 して ください データ を 保存 して 接続 を 閉じる 表示 能力';
const korean =
  '이 함수는 현재 사용자의 이름을 반환합니다 찾을 수 없으면 예외를 던집니다 매개변수가 비어 있으면 안 됩니다 입력 데이터를 확인하고 저장한 다음 연결을 닫습니다 캐시를 갱신합니다';
const mixed = `${european} ${chinese} ${japanese} 😀 🚀`;

const SAMPLES: readonly Sample[] = [
  { encoding: 'utf-8', bom: [], words: mixed.split(' ') },
  { encoding: 'utf-8', bom: [0xef, 0xbb, 0xbf], words: mixed.split(' ') },
  { encoding: 'utf-16le', bom: [0xff, 0xfe], words: mixed.split(' ') },
  { encoding: 'utf-16be', bom: [0xfe, 0xff], words: mixed.split(' ') },
  { encoding: 'windows-1252', bom: [], words: european.split(' ') },
  { encoding: 'gbk', bom: [], words: chinese.split(' ') },
  { encoding: 'shift_jis', bom: [], words: japanese.split(' ') },
  { encoding: 'euc-kr', bom: [], words: korean.split(' ') },
];

/** How many edits of each kind were applied and refused, and how the others broke the law. */
export interface EditTally {
  readonly ascii: { applied: number; refused: number };
  readonly foreign: { applied: number; refused: number };
  readonly wrong: string[];
}

/** Random edits over files in all the encodings in turn. */
export function tallyRandomEdits(count: number, seed: number): EditTally {
  const random = seeded(seed);
  const tally: EditTally = { ascii: { applied: 0, refused: 0 }, foreign: { applied: 0, refused: 0 }, wrong: [] };
  for (let index = 0; index < count; index += 1) {
    const sample = SAMPLES[index % SAMPLES.length];
    if (!sample) continue;
    const verdict = tryRandomEdit(sample, random);
    if (verdict.result === 'wrong') tally.wrong.push(verdict.why);
    else tally[verdict.kind][verdict.result] += 1;
  }
  return tally;
}

/** What became of one edit. `wrong` says how it broke the law. */
type EditVerdict =
  | { readonly kind: 'ascii' | 'foreign'; readonly result: 'applied' | 'refused' }
  | { readonly kind: 'ascii' | 'foreign'; readonly result: 'wrong'; readonly why: string };

/** Makes a file of code with comments in the sample's language, and one edit of it, and judges what the product did. */
function tryRandomEdit(sample: Sample, random: () => number): EditVerdict {
  const text = randomFile(sample, random);
  const bytes = Buffer.concat([Buffer.from(sample.bom), iconv.encode(text, sample.encoding)]);
  const kind = random() < 0.5 ? 'ascii' : 'foreign';
  const wanted = randomEdit(text, sample, kind, random);
  const wrong = (why: string): EditVerdict => ({ kind, result: 'wrong', why: `${sample.encoding}: ${why}` });

  const decoded = decodeText(bytes);
  if (decoded.status !== 'decoded') return kind === 'ascii' ? wrong(decoded.status) : { kind, result: 'refused' };
  const edit = findAgain(decoded.text, text, wanted);
  if (!edit) return kind === 'ascii' ? wrong('the ASCII of the file is not where it was') : { kind, result: 'refused' };
  const before = Buffer.from(bytes);
  const change = encodeChange(bytes, decoded, [edit]);
  if (!before.equals(bytes)) return wrong('the base was written to');
  if (change.status === 'refused') return { kind, result: 'refused' };

  const after = Buffer.from(change.bytes);
  const expected = text.slice(0, wanted.start) + wanted.newText + text.slice(wanted.end);
  if (iconv.decode(after.subarray(sample.bom.length), sample.encoding, { stripBOM: false }) !== expected) {
    return wrong(`decodes to another text after ${JSON.stringify(wanted)}`);
  }
  const head = sample.bom.length + iconv.encode(text.slice(0, wanted.start), sample.encoding).length;
  const tail = iconv.encode(text.slice(wanted.end), sample.encoding).length;
  if (!after.subarray(0, head).equals(bytes.subarray(0, head))) return wrong('bytes before the edit changed');
  if (!after.subarray(after.length - tail).equals(bytes.subarray(bytes.length - tail))) {
    return wrong('bytes behind the edit changed');
  }
  return { kind, result: 'applied' };
}

function randomFile(sample: Sample, random: () => number): string {
  const pick = picker(random);
  const eol = pick(['\n', '\r\n', '\r']);
  // A file that is all ASCII is in no encoding in particular.
  const foreign = sample.words.filter((word) => /[^\x00-\x7f]/.test(word));
  const lines = Array.from({ length: 3 + Math.floor(random() * 60) }, (_, index) => {
    const phrase = Array.from({ length: 1 + Math.floor(random() * 8) }, () => pick(sample.words)).join(' ');
    const kinds = [`const value${index} = ${index};`, `// ${phrase}`, `log("${phrase}", value${index});`, ''];
    return index === 0 ? `// ${pick(foreign)} ${phrase}` : pick(kinds);
  });
  return lines.join(random() < 0.1 ? '\n' : eol) + (random() < 0.7 ? eol : '');
}

/** Replaces, inserts or deletes at word boundaries, as edits of code do, or anywhere between characters. */
function randomEdit(text: string, sample: Sample, kind: 'ascii' | 'foreign', random: () => number): SpanEdit {
  const pick = picker(random);
  const ends = [...text.matchAll(/[\x20-\x7e]+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const run = pick(ends);
  const start = run.start + Math.floor(random() * (run.end - run.start));
  const end = Math.min(run.end, start + Math.floor(random() * 12));
  const ascii = ['', 'x', ' + 1', 'renamed', '{ a: [1] }\n', '\\', '@~|'];
  if (kind === 'ascii') return { start, end, newText: pick(ascii) };
  return {
    start,
    end,
    newText: Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(sample.words)).join(' '),
  };
}

/** The same place in the text that the product read, which may differ where an encoding was guessed wrong. */
function findAgain(read: string, text: string, edit: SpanEdit): SpanEdit | undefined {
  if (read === text) return edit;
  const count = (all: string): number => all.replace(/[^\x00-\x7f]/g, '').length;
  const asciiBefore = count(text.slice(0, edit.start));
  // Every edit begins at an ASCII character, which tells the place also where nothing is replaced.
  const anchor = text.slice(edit.start, Math.max(edit.end, edit.start + 1));
  let seen = 0;
  for (let at = 0; at <= read.length; at += 1) {
    if (seen === asciiBefore && read.startsWith(anchor, at)) {
      return { start: at, end: at + edit.end - edit.start, newText: edit.newText };
    }
    if (read.charCodeAt(at) < 0x80) seen += 1;
  }
  return undefined;
}

function picker(random: () => number): <T>(list: readonly T[]) => T {
  return (list) => {
    const chosen = list[Math.floor(random() * list.length)];
    if (chosen === undefined) throw new RangeError('nothing to pick from');
    return chosen;
  };
}
