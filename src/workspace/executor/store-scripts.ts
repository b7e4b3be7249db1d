/** How the scripts of a store end when they did not do what was asked. */
export const STORE_EXIT = {
  notFound: 61,
  isDirectory: 62,
  noFile: 63,
  denied: 64,
  readOnly: 65,
  changed: 66,
  failed: 67,
  tooLarge: 68,
  noFolder: 69,
  mounted: 70,
} as const;

/**
 * Resolves all links of `$1` into `f`; of what does not exist, the nearest existing folder. A link that leads nowhere is
 * followed by hand: busybox takes what it says to begin where the process is.
 */
const REAL = `
real() {
  p=$1 rest= hops=40
  while [ ! -e "$p" ]; do
    if [ -L "$p" ] && [ $hops -gt 0 ]; then
      t=$(readlink "$p") || exit ${STORE_EXIT.failed}
      case $t in /*) p=$t ;; *) p=\${p%/*}/$t ;; esac
      hops=$((hops - 1))
    else
      rest=/\${p##*/}$rest; p=\${p%/*}
      [ -n "$p" ] || { p=/; break; }
    fi
  done
  case $rest/ in */../*) exit ${STORE_EXIT.notFound} ;; esac
  f=$(readlink -f "$p") || exit ${STORE_EXIT.failed}
  [ "$f" = / ] && [ -n "$rest" ] && f=
  f=$f$rest
}
plain_mount() { case $m in *\\\\*) m=$(printf '%b' "$m") ;; esac; }
one_file() { [ "$(stat -c %d:%i "$1")" = "$(stat -c %d:%i "$2" 2>/dev/null)" ]; }
same() { [ "$(sha256sum <"$1" | cut -c 1-64)" = "$2" ]; }
`;

/**
 * What looks at files. Each prints lines, none of which begins with a dot, and ends with a code of `STORE_EXIT` or 0. A
 * name with a line end in it, or that begins so, is printed as `=` and base64.
 */
export const LOOK_FUNCTIONS = `
export LC_ALL=C
nl='
'
tell() { case $1 in *"$nl"* | =*) printf '=%s\\n' "$(printf %s "$1" | base64 | tr -d '\\n')" ;; *) printf '%s\\n' "$1" ;; esac; }
${REAL}
op_real() { real "$1"; tell "$f"; }
op_stat() {
  [ -e "$1" ] || exit ${STORE_EXIT.notFound}
  stat -L -c '%f %s %Y %Z %u %g %h %d:%i %y / %z' "$1" || exit ${STORE_EXIT.failed}
}
may_edit() {
  bits=$(stat -c %a "$1") || exit ${STORE_EXIT.failed}
  case \${bits#"\${bits%???}"} in *[2367]*) ;; *) printf 'mode %04d\\n' "$bits"; exit ${STORE_EXIT.readOnly} ;; esac
  [ -w "$1" ] || exit ${STORE_EXIT.denied}
}
op_check() {
  real "$1"
  d=\${f%/*}; [ -n "$d" ] || d=/
  case $2 in
  edit) [ ! -f "$f" ] || may_edit "$f"; return ;;
  take) while read -r _ _ _ _ m _; do plain_mount; [ "$m" != "$f" ] || exit ${STORE_EXIT.mounted}; done </proc/self/mountinfo ;;
  esac
  while [ ! -e "$d" ]; do d=\${d%/*}; [ -n "$d" ] || d=/; done
  [ -d "$d" ] || exit ${STORE_EXIT.noFolder}
  [ -w "$d" ] && [ -x "$d" ] || exit ${STORE_EXIT.denied}
}
op_name() {
  find "$2" -xdev -type f -inum "\${1#*:}" 2>/dev/null | while IFS= read -r n; do
    [ "$(stat -c %d:%i "$n")" != "$1" ] || { tell "$n"; break; }
  done
}
op_file() {
  [ -e "$1" ] || [ -L "$1" ] || exit ${STORE_EXIT.notFound}
  [ -d "$1" ] && exit ${STORE_EXIT.isDirectory}
  [ -e "$1" ] || exit ${STORE_EXIT.notFound}
  [ -f "$1" ] || exit ${STORE_EXIT.noFile}
  [ -r "$1" ] || exit ${STORE_EXIT.denied}
}
op_read() {
  op_file "$1"
  size=$(stat -L -c %s "$1") || exit ${STORE_EXIT.failed}
  [ "$size" -le "$2" ] || exit ${STORE_EXIT.tooLarge}
  base64 <"$1" || exit ${STORE_EXIT.failed}
}
op_list() {
  [ -e "$1" ] || exit ${STORE_EXIT.notFound}
  [ -d "$1" ] || exit ${STORE_EXIT.noFolder}
  [ -r "$1" ] && [ -x "$1" ] || exit ${STORE_EXIT.denied}
  for e in "$1"/.* "$1"/*; do
    n=\${e##*/}
    case $n in . | ..) continue ;; esac
    if [ -L "$e" ]; then k=link; elif [ -d "$e" ]; then k=directory; elif [ -f "$e" ]; then k=file
    elif [ -e "$e" ]; then k=other; else continue; fi
    printf %s/ "$k"; tell "$n"
  done
}
`;

/** A stretch of `$1` in whole blocks of `$2` bytes: `$4` of them from block `$3`. */
export const READ_BLOCKS = `${LOOK_FUNCTIONS}
op_file "$1"
dd if="$1" bs="$2" skip="$3" count="$4" 2>/dev/null
`;

/** The whole content. */
export const READ_WHOLE = `${LOOK_FUNCTIONS}
op_file "$1"
cat <"$1" || exit ${STORE_EXIT.failed}
`;
