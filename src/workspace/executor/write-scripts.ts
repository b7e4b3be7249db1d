import { LOOK_FUNCTIONS, STORE_EXIT } from './store-scripts.ts';

/**
 * Compare and write: path `$1`, the hash that it must have `$2` (`-`: there must be no file), the hash of the new
 * content `$3`, the mode of a new file `$4` (`-`: as it comes), the content on stdin. All of it lands or nothing: it
 * goes beside the file first, is checked there, since a line may break in the middle, and is then renamed over it. In
 * place, with the old bytes saved, where a rename would lose hard links, owner or mode. Prints the folders that it
 * made, outermost first.
 */
export const WRITE = `${LOOK_FUNCTIONS}
real "$1"
base=$2 new=$3 mode=$4
folder=\${f%/*}; [ -n "$folder" ] || folder=/
made= staged= saved=
clean() {
  [ -z "$staged" ] || rm -f "$staged"
  [ -z "$saved" ] || rm -f "$saved"
}
give_up() {
  clean
  printf '%s' "$made" | while IFS= read -r m; do [ -z "$m" ] || rmdir "$m" 2>/dev/null; done
  exit "$1"
}
trap 'give_up ${STORE_EXIT.failed}' HUP INT TERM
if [ "$base" = - ]; then
  [ ! -e "$f" ] && [ ! -L "$f" ] || exit ${STORE_EXIT.changed}
  d=$folder
  while [ ! -d "$d" ]; do
    [ ! -e "$d" ] || exit ${STORE_EXIT.noFolder}
    made="$made$d
"
    d=\${d%/*}; [ -n "$d" ] || d=/
  done
  mkdir -p "$folder" 2>/dev/null || give_up ${STORE_EXIT.denied}
else
  [ ! -d "$f" ] || exit ${STORE_EXIT.isDirectory}
  [ -e "$f" ] || exit ${STORE_EXIT.changed}
  [ -f "$f" ] || exit ${STORE_EXIT.noFile}
  traits=$(stat -c '%a %u %g %h' "$f") || exit ${STORE_EXIT.failed}
  bits=\${traits%% *}
  case \${bits#"\${bits%???}"} in *[2367]*) ;; *) exit ${STORE_EXIT.readOnly} ;; esac
  [ -w "$f" ] || exit ${STORE_EXIT.denied}
fi
way=rename
staged=$folder/.emend-$$-$new
if [ "$base" = - ]; then
  cat >"$staged" 2>/dev/null || give_up ${STORE_EXIT.denied}
elif cp -p "$f" "$staged" 2>/dev/null; then
  cat >"$staged" || give_up ${STORE_EXIT.failed}
  [ "$(stat -c '%a %u %g %h' "$staged")" = "$traits" ] || way=in-place
else
  staged=$(mktemp) && cat >"$staged" || give_up ${STORE_EXIT.failed}
  way=in-place
fi
same "$staged" "$new" || give_up ${STORE_EXIT.failed}
sync "$staged" 2>/dev/null
if [ "$base" = - ]; then
  [ "$mode" = - ] || chmod "$mode" "$staged" || give_up ${STORE_EXIT.failed}
  if ! ln "$staged" "$f" 2>/dev/null; then
    [ ! -e "$f" ] && [ ! -L "$f" ] || give_up ${STORE_EXIT.changed}
    mv "$staged" "$f" 2>/dev/null || give_up ${STORE_EXIT.failed}
  fi
else
  same "$f" "$base" || give_up ${STORE_EXIT.changed}
  if [ "$way" = in-place ] || ! mv -f "$staged" "$f" 2>/dev/null; then
    saved=$(mktemp) && cat "$f" >"$saved" && same "$saved" "$base" || give_up ${STORE_EXIT.changed}
    if ! cat "$staged" >"$f" || ! same "$f" "$new"; then
      cat "$saved" >"$f"
      give_up ${STORE_EXIT.failed}
    fi
  fi
fi
clean
printf '%s' "$made"
`;

/** Compare and remove: path `$1`, the hash that it must have `$2`; of the further arguments the folders that are empty. */
export const REMOVE = `${LOOK_FUNCTIONS}
real "$1"
[ ! -d "$f" ] || exit ${STORE_EXIT.isDirectory}
[ -e "$f" ] && same "$f" "$2" || exit ${STORE_EXIT.changed}
rm -f "$f" 2>/dev/null || exit ${STORE_EXIT.denied}
shift 2
for folder; do rmdir "$folder" 2>/dev/null; done
exit 0
`;
