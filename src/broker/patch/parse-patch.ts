import { parseUnified } from './parse-unified.ts';
import { parseV4a } from './parse-v4a.ts';
import { type ParsedPatch, wrongPatch } from './patch.ts';

/**
 * Reads a patch, whichever of the two languages it is in. A shell's here-document or a fence around it falls away.
 */
export function parsePatchText(input: string): ParsedPatch {
  const text = unwrapped(input);
  if (text.trim() === '') return wrongPatch('it is empty. It begins with "*** Begin Patch".');
  if (/^\s*\*\*\* Begin Patch\s*$/m.test(text.slice(0, 200))) return parseV4a(text);
  if (/^(?:diff --git |--- \S)/m.test(text)) return parseUnified(text);
  return parseV4a(text);
}

function unwrapped(input: string): string {
  const text = input.replace(/^\ufeff/, '');
  const fenced = /^\s*```[^\n`]*\n([\s\S]*\n)```\s*$/.exec(text)?.[1];
  const bare = fenced ?? text;
  const document = /^\s*(?:apply_?patch\s+)?<<-?\s*(["']?)(\w{1,64})\1(?!\w)[^\n]*\n([\s\S]*\n)\2\s*$/.exec(bare);
  return document?.[3] ?? bare;
}
