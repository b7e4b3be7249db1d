import type { LookTimes } from './passed-over.ts';
import type { Ripgrep } from './ripgrep.ts';
import { lookAgain, type SecondLook } from './second-look.ts';

/** In how many files a pattern that found nothing is found another way. */
export interface OtherForms {
  /** As the text that it is, without any meaning of its characters. */
  readonly asText: number;
  /** Where blanks may be line ends. */
  readonly overLines: number;
}

/** Looks whether `foo(bar)` was meant as it stands, and whether `\s` was meant to go over the end of a line. */
export async function otherForms(
  look: SecondLook,
  ports: LookTimes & { readonly ripgrep: Ripgrep },
  signal?: AbortSignal,
): Promise<OtherForms> {
  const { pattern, switches } = look.request;
  const isOneLine = !switches.has('multiline') && !pattern.includes('\n');
  const [asText, overLines] = await Promise.all([
    isOneLine && /[\\^$.|?*+()[\]{}]/.test(pattern) ? lookAgain(look, ['--fixed-strings'], ports, signal) : undefined,
    isOneLine && /\\s|\[\^/.test(pattern) ? lookAgain(look, ['--multiline'], ports, signal) : undefined,
  ]);
  return { asText: asText?.paths.length ?? 0, overLines: overLines?.paths.length ?? 0 };
}
