import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPathListing } from '../../../src/workspace/search/listed-paths.ts';

function bytesOf(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `./${path}\0`).join(''));
}

describe('paths that are listed', () => {
  const path = fc.stringMatching(/^[aé/x]{1,9}$/u);

  it('are the same wherever the bytes are parted, and whatever is left out', () => {
    fc.assert(
      fc.property(fc.array(path), fc.array(fc.nat(20)), fc.boolean(), (paths, sizes, isFiltered) => {
        const accepts = isFiltered ? (one: string) => one.includes('x') : undefined;
        const listing = createPathListing(accepts);
        const bytes = bytesOf(paths);
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          listing.add(bytes.subarray(at, at + size));
          at += size;
        }
        const wanted = paths.filter(accepts ?? (() => true));
        expect(listing.paths.slice()).toEqual(wanted);
        expect([listing.count(), listing.paths.length]).toEqual([wanted.length, wanted.length]);
        expect(wanted.map((_, index) => listing.paths.at(index))).toEqual(wanted);
        expect(listing.paths.at(wanted.length)).toBeUndefined();
        expect(listing.paths.slice(1, 4)).toEqual(wanted.slice(1, 4));
        expect([...listing.paths.folders().values()].reduce((sum, one) => sum + one, 0)).toBe(wanted.length);
        for (const [folder, count] of listing.paths.folders()) {
          const inside = wanted.filter((one) =>
            folder === './' ? !one.includes('/') : one.slice(0, one.indexOf('/') + 1) === folder,
          );
          expect(count).toBe(inside.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('show a byte that is no UTF-8 as an escape, in names and in folders', () => {
    const listing = createPathListing(undefined);
    listing.add(Buffer.from([...Buffer.from('./d'), 0xff, ...Buffer.from('/é\0')]));
    expect(listing.paths.at(0)).toBe('d\\xff/é');
    expect([...listing.paths.folders()]).toEqual([['d\\xff/', 1]]);
  });

  it('do not count one that has not ended', () => {
    const listing = createPathListing(undefined);
    listing.add(Buffer.from('./a\0./b'));
    expect([listing.paths.slice(), listing.count()]).toEqual([['a'], 1]);
  });

  it('are counted beyond what is kept', () => {
    const listing = createPathListing(undefined);
    const many = bytesOf(Array.from({ length: 1000 }, (_, number) => `f${number}`));
    for (let round = 0; round < 301; round++) listing.add(many);
    expect([listing.count(), listing.paths.length, listing.paths.at(299_999)]).toEqual([301_000, 300_000, 'f999']);
  });
});
