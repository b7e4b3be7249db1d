import type { RunOptions } from '../run.ts';

/**
 * Says on stderr that it starts, or why it can't, in a line that begins with the mark; then becomes the command, with
 * the mark in the name of a variable, so that commands inside commands each keep theirs.
 */
const START = `
mark=$1 name=$3
cd "$2" 2>/dev/null || { printf '%s no folder\\n' "$mark" >&2; exit 126; }
shift 3
case $name in
  */*) [ -e "$name" ] || { printf '%s no file\\n' "$mark" >&2; exit 127; }
       [ -x "$name" ] || { printf '%s not executable\\n' "$mark" >&2; exit 126; } ;;
  *) command -v "$name" >/dev/null 2>&1 || { printf '%s not on PATH\\n' "$mark" >&2; exit 127; } ;;
esac
export "EMEND_RUN_$mark=1"
printf '%s started\\n' "$mark" >&2
exec "$@"
`;

/** The argv that starts a command under a mark. */
export function markedStart(
  mark: string,
  argv: readonly [string, ...string[]],
  options: RunOptions,
): readonly [string, ...string[]] {
  const changes = Object.entries(options.env ?? {});
  const unset = changes.flatMap(([name, value]) => (value === undefined ? ['-u', name] : []));
  const set = changes.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const env = changes.length === 0 ? [] : ['env', ...unset, ...set];
  return ['sh', '-c', START, 'sh', mark, options.cwd, argv[0], ...env, ...argv];
}

/** Sends a signal (`KILL`) to every process under a mark, again and again while new ones turn up. */
export const killByMark = `
name="EMEND_RUN_$1=1"
for round in 1 2 3; do
  found=
  for folder in /proc/[0-9]*; do
    [ -e "$folder/exe" ] || continue
    case $(tr '\\000' '\\n' 2>/dev/null <"$folder/environ") in
      *"$name"*) kill -s "$2" "\${folder#/proc/}" 2>/dev/null && found=1 ;;
    esac
  done 2>/dev/null
  [ -n "$found" ] && [ "$2" = KILL ] || break
done
exit 0
`;
