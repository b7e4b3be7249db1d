import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ByteForm, pageOfFile } from '../../src/workspace/file-page.ts';
import { type PageRequest, pageOfText } from '../../src/workspace/text-page.ts';

const everything: PageRequest = { first: 1, limit: 2000, maxBytes: 50 * 1024, maxLineLength: 2000 };

/** A file in memory that is handed out in stretches of at most `chunk` bytes. */
function source(bytes: Uint8Array, chunk = 7) {
  return {
    size: bytes.length,
    read: async (start: number, length: number) => bytes.slice(start, start + Math.min(length, chunk)),
  };
}

const utf8: ByteForm = { encoding: 'utf-8', skip: 0 };

describe('a page of a text', () => {
  test.each([
    ['three lines and a final newline', 'a\nb\nc\n', {}, ['a', 'b', 'c'], 3, undefined],
    ['no final newline', 'a\nb', {}, ['a', 'b'], 2, undefined],
    ['carriage returns', 'a\r\nb\rc\r\n', {}, ['a', 'b', 'c'], 3, undefined],
    ['blank lines', '\n\n', {}, ['', ''], 2, undefined],
    ['nothing', '', {}, [], 0, undefined],
    ['a stretch', '1\n2\n3\n4\n', { first: 2, limit: 2 }, ['2', '3'], 4, 4],
    ['the last line', '1\n2\n3\n', { first: 3, limit: 1 }, ['3'], 3, undefined],
    ['past the end', '1\n2\n', { first: 9 }, [], 2, undefined],
    ['bytes run out', 'aaaa\nbbbb\ncccc\n', { maxBytes: 10 }, ['aaaa', 'bbbb'], 3, 3],
    ['one line over all bytes', 'aaaaaaaa\nb\n', { maxBytes: 4 }, ['aaaaaaaa'], 2, 2],
  ])('%s', async (_what, text, wish, lines, total, next) => {
    const request = { ...everything, ...wish };
    expect(pageOfText(text, request)).toMatchObject({ lines, total, next });
    const paged = await pageOfFile(source(Buffer.from(text)), utf8, request);
    expect(paged).toMatchObject({ lines, next, total: next === undefined ? total : undefined });
  });

  test('a long line is cut on a character and says its whole length', () => {
    const page = pageOfText(`${'x'.repeat(1999)}😀END\nb\n`, everything);
    expect(page.lines[0]).toBe(`${'x'.repeat(1999)}… [line cut: 1,999 of 2,004 characters]`);
    expect(page.lines[1]).toBe('b');
    expect(page.cutLines).toBe(1);
  });

  test('of a line that is longer than memory only the beginning is kept', async () => {
    const page = await pageOfFile(source(Buffer.from(`${'x'.repeat(100_000)}\nb\n`), 4096), utf8, everything);
    expect(page.lines[0]).toMatch(/^x{1900,2000}… \[line cut: [\d,]+ of 97\.7 KB\]$/);
    expect(page.lines[1]).toBe('b');
    expect(page.cutLines).toBe(1);
  });

  test('the file is read no further than the page', async () => {
    const reads: number[] = [];
    const bytes = Buffer.from('line\n'.repeat(1_000_000));
    const counted = {
      size: bytes.length,
      read: async (start: number, length: number) => {
        reads.push(start);
        return bytes.subarray(start, start + length);
      },
    };
    const page = await pageOfFile(counted, utf8, { ...everything, limit: 10 });
    expect(page).toMatchObject({ next: 11, total: undefined });
    expect(reads).toEqual([0]);
  });

  test('of a line without end no more is read than its length is worth, and only where it is shown', async () => {
    let most = 0;
    const endless = {
      size: 1024 ** 3,
      read: async (start: number, length: number) => {
        most = Math.max(most, start + length);
        return start > 64 * 1024 ** 2 ? Buffer.from('\nend') : Buffer.alloc(length, 'x');
      },
    };
    const page = await pageOfFile(endless, utf8, everything);
    expect(page).toMatchObject({ next: 2, total: undefined, openLine: true, cutLines: 1 });
    expect(page.lines[0]).toMatch(/^x{2000}… \[line cut: 2,000 of at least 1\.0 MB\]$/);
    expect(most).toBeLessThan(2 * 1024 ** 2);
    const second = await pageOfFile({ ...endless, size: 64 * 1024 ** 2 + 256 * 1024 + 4 }, utf8, {
      ...everything,
      first: 2,
    });
    expect(second.lines).toEqual(['end']);
  });

  test.each(['utf-16le', 'utf-16be'] as const)('%s is read by its units', async (encoding) => {
    const text = 'größe ੊\r\n日本\rend';
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    if (encoding === 'utf-16be') bytes.swap16();
    const page = await pageOfFile(source(bytes, 6), { encoding, skip: 2 }, everything);
    expect(page.lines).toEqual(['größe ੊', '日本', 'end']);
  });

  test('a file and a text give the same pages', async () => {
    const piece = fc.constantFrom('a', 'é', '日', '😀', '\n', '\r\n', '\r', ' ', 'word');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, first, limit, chunk) => {
          const request = { ...everything, first, limit };
          const held = pageOfText(text, request);
          const paged = await pageOfFile(source(Buffer.from(text), chunk), utf8, request);
          expect(paged.lines).toEqual(held.lines);
          expect(paged.next).toBe(held.next);
        },
      ),
    );
  });
});
