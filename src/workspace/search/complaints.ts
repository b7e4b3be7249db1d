import type { CommandExit } from '../run.ts';

/** What ripgrep said on stderr, told apart. */
export interface Complaints {
  /** Paths that could not be read, at most ten, and how many there were. */
  readonly unreadable: readonly string[];
  readonly unreadableCount: number;
  /** Why the pattern is no pattern; nothing was searched. */
  readonly pattern: string | undefined;
  /** Why a glob is none; nothing was searched. */
  readonly glob: string | undefined;
  /** A file type that ripgrep does not know; nothing was searched. */
  readonly unknownType: string | undefined;
  /** The machine had no room for another thread; with one thread it may go. */
  readonly isExhausted: boolean;
  /** Files and folders that were gone when it was their turn. */
  readonly vanished: number;
  /** Anything else, as it was said. */
  readonly other: string | undefined;
}

const MAX_NAMED = 10;
const UNREADABLE = /Permission denied|Input\/output error|Operation not permitted/;
/** No such file, or a file where a folder was. */
const VANISHED = /\(os error (?:2|20)\)/;

/** What ripgrep printed to its standard error, sorted by what it means for the answer. */
export function readComplaints(stderr: string): Complaints {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const unreadable = lines.flatMap((line) => {
    const match =
      /^(?:rg: )?(.+?): (?:IO error for operation on .+: )?(?:Permission denied|Input\/output error|Operation not permitted) \(os error/.exec(
        line,
      );
    return match?.[1] === undefined ? [] : [match[1].replace(/^\.\/(?=.)/, '')];
  });
  const isPattern = /regex parse error|regex could not be compiled|PCRE2: error compiling|not allowed in a regex/.test(
    stderr,
  );
  const glob = /error parsing glob '(.*)': (.*)/.exec(stderr);
  const isExhausted = /Resource temporarily unavailable|os error 11\b/.test(stderr);
  const vanished = lines.filter((line) => VANISHED.test(line)).length;
  const rest = lines.filter((line) => !UNREADABLE.test(line) && !VANISHED.test(line));
  return {
    unreadable: unreadable.slice(0, MAX_NAMED),
    unreadableCount: unreadable.length,
    pattern: isPattern ? patternReason(stderr) : undefined,
    glob: glob ? `${glob[1]}: ${glob[2]}` : undefined,
    unknownType: /unrecognized file type: (.+)/.exec(stderr)?.[1],
    isExhausted,
    vanished,
    other: isPattern || glob || isExhausted || rest.length === 0 ? undefined : rest[0]?.replace(/^rg: (?:\.\/)?/, ''),
  };
}

/** The reason in the regex engine's words: `unclosed group`. Of a pattern that only PCRE2 could read, PCRE2's. */
function patternReason(stderr: string): string {
  const reasons = [...stderr.matchAll(/^error: (.+)$/gm)].map((match) => match[1] ?? '');
  const pcre2 = /PCRE2: error compiling pattern at offset \d+: (.+)/.exec(stderr)?.[1];
  const needsPcre2 = reasons.some((reason) => /not supported/.test(reason));
  return (needsPcre2 ? pcre2 : reasons[0]) ?? pcre2 ?? stderr.trim().split('\n').at(-1) ?? 'it can not be read';
}

/** What is to be said of a run that did not come to its end by itself: else its silence would look like absence. */
export function withExit(complaints: Complaints, exit: CommandExit): Complaints {
  switch (exit.kind) {
    case 'not_started':
      return { ...complaints, other: exit.reason };
    case 'signal':
      return { ...complaints, other: complaints.other ?? `the search was ended by ${exit.signal}` };
    case 'code':
      return exit.code <= 2
        ? complaints
        : { ...complaints, other: complaints.other ?? `the search failed (exit ${exit.code})` };
  }
}
