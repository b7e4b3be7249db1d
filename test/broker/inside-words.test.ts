import { expect, test } from 'vitest';
import { placesDetail } from '../../src/broker/inside-words.ts';
import { occurrences } from '../../src/broker/match/occurrences.ts';

test.each([
  ['id = a.id;', 'id', '2 places'],
  ['id grid width [id]', 'id', '4 places, 2 inside longer words: grid, width'],
  ['aid bid cid did', 'id', '4 places, 4 inside longer words: aid, bid, cid, …'],
  ['$id, größe, größen', 'größe', '2 places, 1 inside longer words: größen'],
  ['get(a); forget(a);', 'get(a)', '2 places, 1 inside longer words: forget'],
  ['x = old; x = older;', 'x = old', '2 places, 1 inside longer words: older'],
  ['a\nb = 1\nca\nb = 1\n', 'a\nb = 1', '2 places, 1 inside longer words: ca'],
])('in %j the places of %j: %s', (text, word, detail) => {
  const spans = occurrences(text, word).map((start) => ({ start, end: start + word.length }));
  expect(placesDetail(text, spans)).toBe(detail);
});
