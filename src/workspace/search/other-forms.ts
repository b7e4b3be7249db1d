import type { LookTimes } from './passed-over.ts';
import type { Ripgrep } from './ripgrep.ts';
import { lookAgain, type SecondLook } from './second-look.ts';

/** In how many files a pattern that found nothing is found another way. */
export interface OtherForms {
  /** As the text that it is, without any meaning of its characters. */
  readonly asText: FilesSeen;
  /** Where blanks may be line ends. */
  readonly overLines: FilesSeen;
}

/** `isComplete`: all files were looked at; else there may be more. */
export interface FilesSeen {
  readonly files: number;
  readonly isComplete: boolean;
}

const seenOf = (found: Awaited<ReturnType<typeof lookAgain>> | undefined): FilesSeen => ({
  files: found?.paths.length ?? 0,
  isComplete: found?.isComplete ?? true,
});

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
  return { asText: seenOf(asText), overLines: seenOf(overLines) };
}
