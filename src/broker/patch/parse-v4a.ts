import { shortened } from '../../workspace/truncation.ts';
import type { AddPatch, FilePatch, HunkLine, ParsedPatch, PatchHunk, UpdatePatch } from './patch.ts';
import { wrongPatch } from './patch.ts';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';
const SECTION = /^\*\*\* (Add|Update|Delete) File: *(.*)$/;
const MOVE = /^\*\*\* Move to: *(.*)$/;
const NUMBERED = /^-(\d+)(?:,\d+)? \+\d+(?:,\d+)? ?@@/;

/** A fault in a patch; caught at its border. */
class Fault extends Error {}

/** Reads the patch language of GPT models (V4A): files to add, update (and move) and delete, between two markers. */
export function parseV4a(text: string): ParsedPatch {
  const lines = text.trim().split(/\r?\n/);
  if (lines[0]?.trim() !== BEGIN) return wrongPatch(`the first line is ${quoted(lines[0])}. It must be "${BEGIN}".`);
  if (lines.at(-1)?.trim() !== END) {
    return wrongPatch(
      `the last line is ${quoted(lines.at(-1))}. It must be "${END}"; a patch that was cut is not used.`,
    );
  }
  try {
    const files = new Reader(lines.slice(0, -1)).sections();
    if (files.length > 0) return { status: 'parsed', files };
    return wrongPatch(`there is nothing between "${BEGIN}" and "${END}". Name a file: "*** Update File: PATH".`);
  } catch (error) {
    if (error instanceof Fault) return wrongPatch(error.message);
    throw error;
  }
}

class Reader {
  readonly #lines: readonly string[];
  /** 0-based; the line that is read next. */
  #at = 1;
  /** No line from `#at` up to this one has anything but blanks: each is looked at once. */
  #filled = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  sections(): readonly FilePatch[] {
    const files: FilePatch[] = [];
    while (this.#skipBlank()) {
      const line = this.#at + 1;
      const [, kind, path = ''] = SECTION.exec(this.#next().trim()) ?? [];
      if (kind === undefined)
        throw this.#fault(
          line,
          'begins no file. One of "*** Add File: PATH", "*** Update File: PATH", "*** Delete File: PATH" must stand here',
        );
      if (path.trim() === '') throw this.#fault(line, 'names no file');
      const place = { path: path.trim(), line };
      if (kind === 'Add') files.push(this.#add(place));
      else if (kind === 'Delete') files.push({ op: 'delete', ...place });
      else files.push(this.#update(place));
    }
    return files;
  }

  #add(place: { readonly path: string; readonly line: number }): AddPatch {
    const content: string[] = [];
    while (!this.#isOver()) {
      const line = this.#peek();
      if (line.startsWith('+')) content.push(line.slice(1));
      // An empty line of the file that lost its sign, if the file goes on after it.
      else if (line.trim() === '' && this.#goesOn('+')) content.push('');
      else break;
      this.#at += 1;
    }
    if (this.#skipBlank() && !SECTION.test(this.#peek().trim())) {
      throw this.#fault(this.#at + 1, `is in the new file ${place.path}, where every line begins with +`);
    }
    return { op: 'add', ...place, content: content.map((line) => `${line}\n`).join('') };
  }

  #update(place: { readonly path: string; readonly line: number }): UpdatePatch {
    const moveTo = this.#isOver() ? undefined : MOVE.exec(this.#peek().trim())?.[1]?.trim();
    if (moveTo === '') throw this.#fault(this.#at + 1, 'names no file');
    if (moveTo !== undefined) this.#at += 1;
    const hunks: PatchHunk[] = [];
    while (this.#skipBlank() && !this.#peek().startsWith('*** ')) hunks.push(this.#hunk(hunks.length === 0));
    if (!this.#isOver() && !SECTION.test(this.#peek())) throw this.#fault(this.#at + 1, 'does not belong here');
    if (hunks.length === 0 && moveTo === undefined) {
      throw this.#fault(
        place.line,
        `is followed by no hunk. Give the lines of ${place.path} that change, with - and +`,
      );
    }
    return { op: 'update', ...place, ...(moveTo !== undefined && { moveTo }), hunks };
  }

  #hunk(isFirst: boolean): PatchHunk {
    const line = this.#at + 1;
    const headers: string[] = [];
    let expectedLine: number | undefined;
    while (!this.#isOver() && this.#peek().startsWith('@@')) {
      const header = this.#next().slice(2).replace(/^ /, '');
      const numbered = NUMBERED.exec(header);
      if (numbered) expectedLine = Number(numbered[1]);
      else if (header.trim() !== '') headers.push(header.replace(/ @@$/, ''));
    }
    if (!isFirst && line === this.#at + 1)
      throw this.#fault(line, 'begins no hunk: after *** End of File "@@" must stand here');
    const lines: HunkLine[] = [];
    let isAtEnd = false;
    while (!this.#isOver() && !isAtEnd) {
      const text = this.#peek();
      if (text.startsWith('@@') || (text.startsWith('*** ') && text.trim() !== END_OF_FILE)) break;
      this.#at += 1;
      if (text.trim() === END_OF_FILE && !text.startsWith(' ')) isAtEnd = true;
      else lines.push(this.#hunkLine(text));
    }
    if (lines.every(({ isBare }) => isBare))
      throw this.#fault(line, 'begins a hunk without lines. Give the lines that change, with - and +');
    return { line, headers, ...(expectedLine !== undefined && { expectedLine }), lines, isAtEnd };
  }

  #hunkLine(text: string): HunkLine {
    const sign = text.charAt(0);
    if (text === '') return { sign: ' ', text: '', isBare: true };
    if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: text.slice(1) };
    throw this.#fault(
      this.#at,
      'is in a hunk, where a line begins with a blank (it stays), - (it goes) or + (it comes)',
    );
  }

  #fault(line: number, what: string): Fault {
    return new Fault(`line ${line} of the patch, ${quoted(this.#lines[line - 1])}, ${what}.`);
  }

  #goesOn(sign: string): boolean {
    this.#filled = Math.max(this.#filled, this.#at);
    while (this.#lines[this.#filled]?.trim() === '') this.#filled += 1;
    return this.#lines[this.#filled]?.startsWith(sign) ?? false;
  }

  /** Whether there is a line that is not blank; the next is it. */
  #skipBlank(): boolean {
    while (!this.#isOver() && this.#peek().trim() === '') this.#at += 1;
    return !this.#isOver();
  }

  #isOver(): boolean {
    return this.#at >= this.#lines.length;
  }

  #peek(): string {
    return this.#lines[this.#at] ?? '';
  }

  #next(): string {
    this.#at += 1;
    return this.#lines[this.#at - 1] ?? '';
  }
}

function quoted(line: string | undefined): string {
  const text = line ?? '';
  return JSON.stringify(shortened(text, 60));
}
