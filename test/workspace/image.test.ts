import { describe, expect, test } from 'vitest';
import { lookAtImage } from '../../src/workspace/image.ts';
import { PNG } from '../support/png.ts';

describe('an image is told by its content', () => {
  test('a PNG with its measures', async () => {
    expect(await lookAtImage(PNG)).toEqual({ status: 'image', mimeType: 'image/png', dimensions: [1, 1] });
  });

  test.each([
    ['cut in the middle', PNG.subarray(0, 50)],
    ['cut in its header', PNG.subarray(0, 20)],
    ['only its signature', PNG.subarray(0, 4)],
  ])('a PNG %s is broken', async (_what, bytes) => {
    expect((await lookAtImage(bytes)).status).toBe('broken');
  });

  test.each([
    ['little', Buffer.from('fffe00006100000062000000', 'hex')],
    ['big', Buffer.from('0000feff0000006100000062', 'hex')],
  ])('a text in UTF-32, the %s end first, is called what it is', async (_end, bytes) => {
    expect(await lookAtImage(bytes)).toEqual({ status: 'other', mimeType: 'text/plain; charset=utf-32' });
  });

  test.each([
    ['text', Buffer.from('{"a": 1}\n')],
    ['an SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')],
    ['nothing', Buffer.alloc(0)],
  ])('%s is no image', async (_what, bytes) => {
    expect((await lookAtImage(bytes)).status).toBe('other');
  });
});
