import { LINK_LOST } from '../document-store.ts';
import { LOOK_FUNCTIONS, STORE_EXIT } from './store-scripts.ts';

/** The mount that a folder `$1` lies on, into `mount`: the longest of those above it. */
const MOUNT_OF = `
mount_of() {
  mount=
  while read -r _ _ _ _ m _; do
    plain_mount
    case \${1%/}/ in "\${m%/}"/*) [ \${#m} -lt \${#mount} ] || mount=$m ;; esac
  done </proc/self/mountinfo
}
one_mount() { mount_of "$1"; m1=$mount; mount_of "$2"; [ "$m1" = "$mount" ]; } 2>/dev/null
`;

/**
 * Compare and write: path `$1`, the hash that it must have `$2` (`-`: there must be no file), the hash of the new
 * content `$3`; which file the name is to stand for, `$4`: `-` the one that is there (or a new one where none is), `new`
 * a new one, `of` the file at `$5`, or `goes`, the same if that name goes next; the mode `$6` and the owner `$7`
 * (UID:GID) of a new one (`-`: as it comes); the content on stdin. All of it lands or nothing: it goes beside the file
 * first, is checked there, since a line may break in the middle, and is then renamed over it. In place, with the old
 * bytes saved, where a rename would lose hard links, owner or mode. Prints the folders that it made, innermost first,
 * `moved` where the other name has gone, and `lost WORDS` for what could not be kept.
 */
export const WRITE = `${LOOK_FUNCTIONS}${MOUNT_OF}
real "$1"
base=$2 new=$3 origin=$4 source=$5 mode=$6 owner=$7 lost= told=
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
free() { [ ! -e "$f" ] && [ ! -L "$f" ]; }
trap 'give_up ${STORE_EXIT.failed}' HUP INT TERM
if [ "$base" = - ]; then
  free || exit ${STORE_EXIT.changed}
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
  [ "$origin" != - ] || may_edit "$f"
fi
staged=$folder/.emend-$$-$new way=rename
case $origin in of | goes)
  [ -f "$source" ] && [ ! -L "$source" ] && same "$source" "$new" || give_up ${STORE_EXIT.changed}
  kept=$(stat -c '%a %u %g' "$source") names=$(stat -c %h "$source")
  if ln "$source" "$staged" 2>/dev/null; then :
  elif [ "$origin" = goes ] && one_mount "\${source%/*}" "$folder"; then way=move
  elif cp -p "$source" "$staged" 2>/dev/null; then
    [ "$(stat -c '%a %u %g' "$staged")" = "$kept" ] || lost='its mode and owner could not all be kept'
    [ "$origin" = goes ] && [ "$names" -lt 2 ] || lost="\${lost:+$lost; }${LINK_LOST}"
  else give_up ${STORE_EXIT.denied}
  fi ;;
*)
  if [ "$origin" = new ] || [ "$base" = - ]; then
    ( [ "$mode" = - ] || umask 077; cat >"$staged" ) 2>/dev/null || give_up ${STORE_EXIT.denied}
    if [ "$owner" != - ] && [ "$(stat -c %u:%g "$staged")" != "$owner" ] && ! chown "$owner" "$staged" 2>/dev/null; then
      lost="its owner ($owner) could not be kept"
      case $mode in [2-7]???) mode=\${mode#?} lost="$lost, so its set-user-id and set-group-id bits were dropped" ;; esac
    fi
    [ "$mode" = - ] || chmod "$mode" "$staged" || give_up ${STORE_EXIT.failed}
  elif cp -p "$f" "$staged" 2>/dev/null; then
    cat >"$staged" || give_up ${STORE_EXIT.failed}
    [ "$(stat -c '%a %u %g %h' "$staged")" = "$traits" ] || way=in-place
  else
    staged=$(mktemp) && cat >"$staged" || give_up ${STORE_EXIT.failed}
    way=in-place
  fi ;;
esac
if [ $way = move ]; then
  if [ "$base" = - ]; then free; else same "$f" "$base"; fi || give_up ${STORE_EXIT.changed}
  # Of two names of one file the old one goes; mv may say no to that, or do nothing.
  if one_file "$source" "$f"; then rm -f "$source"; else mv -f "$source" "$f"; fi 2>/dev/null || give_up ${STORE_EXIT.denied}
  told=moved
else
  same "$staged" "$new" || give_up ${STORE_EXIT.failed}
  sync "$staged" 2>/dev/null
fi
if [ $way = move ]; then :
elif [ "$base" = - ]; then
  if ! ln "$staged" "$f" 2>/dev/null; then
    free || give_up ${STORE_EXIT.changed}
    mv "$staged" "$f" 2>/dev/null || give_up ${STORE_EXIT.failed}
  fi
else
  same "$f" "$base" || give_up ${STORE_EXIT.changed}
  if one_file "$staged" "$f"; then :
  elif [ "$way" = in-place ] || ! mv -f "$staged" "$f" 2>/dev/null; then
    [ "$origin" = - ] || give_up ${STORE_EXIT.denied}
    saved=$(mktemp) && cat "$f" >"$saved" && same "$saved" "$base" || give_up ${STORE_EXIT.changed}
    if ! cat "$staged" >"$f" || ! same "$f" "$new"; then
      cat "$saved" >"$f"
      give_up ${STORE_EXIT.failed}
    fi
  fi
fi
clean
printf '%s' "$made"
[ -z "$told" ] || echo "$told"
[ -z "$lost" ] || printf 'lost %s\n' "$lost"
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
