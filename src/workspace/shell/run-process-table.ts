import type { Run } from '../run.ts';
import { MEMORY_FILES, machineMemory } from './machine-memory.ts';
import type { CallProcess, ProcessTable } from './process-table.ts';
import { CALL_VARIABLE, RELAY_VARIABLE } from './shell-command.ts';

/**
 * Sets `$e` to the environment of the process in `/proc/$d`, one a line between line ends. busybox's grep reads no
 * further than the first NUL, and a machine of coreutils alone has no grep.
 */
const ENVIRONMENT = `environment() { e="
$(tr '\\0' '\\n' <"$1/environ")
"; } 2>/dev/null
has() { case $e in *"
$1
"*) ;; *) return 1 ;; esac; }`;

/**
 * Prints `pid kilobytes command line` of each process that has the id in its environment. POSIX sh and coreutils will
 * do.
 */
const LIST = `${ENVIRONMENT}
for d in /proc/[0-9]*; do
  [ -e "$d/exe" ] || continue
  environment "$d"; has "${CALL_VARIABLE}=$1" || continue
  has ${RELAY_VARIABLE}=1 && [ -z "$2" ] && continue
  m=; while read -r k v _; do [ "$k" != VmRSS: ] || m=$v; done 2>/dev/null <"$d/status"
  [ -r "$d/cmdline" ] && printf '%s %s %s\\n' "\${d#/proc/}" "$m" "$(tr '\\0' ' ' <"$d/cmdline")"
done; true`;

const KILL = `${ENVIRONMENT}
s=TERM; n=0; while [ $n -lt 20 ]; do
  p=; for d in /proc/[0-9]*; do [ -e "$d/exe" ] && environment "$d" && has "${CALL_VARIABLE}=$1" && p="$p \${d#/proc/}"; done
  [ -z "$p" ] && exit 0
  kill -$s $p 2>/dev/null; [ $n -ge 4 ] && s=KILL; n=$((n+1)); sleep 0.2 2>/dev/null || { n=$((n+4)); sleep 1; }
done`;

/** Puts `$2` into the pipe that the relay of a call reads. A full pipe is not waited for. */
const MARK = `${ENVIRONMENT}
[ -r /proc/self/environ ] && command -v timeout >/dev/null && command -v readlink >/dev/null || { echo impossible; exit 0; }
for d in /proc/[0-9]*; do
  [ -e "$d/exe" ] || continue
  environment "$d"; has "${CALL_VARIABLE}=$1" && has ${RELAY_VARIABLE}=1 || continue
  case $(readlink "$d/fd/0") in pipe:*) ;; *) continue ;; esac
  timeout 1 sh -c 'printf %b "$1" >"$2"' sh "$2" "$d/fd/0" && { echo put; exit 0; }
done 2>/dev/null
echo later`;

/** Prints files, each with a NUL behind it; those that are not there are empty. */
const SHOW = `for f; do [ ! -r "$f" ] || cat "$f"; printf '\\0'; done 2>/dev/null; true`;

/** The processes of a machine that is reached only through an executor: by a second command that looks and ends. */
export function runProcessTable(run: Run, cwd: string): ProcessTable {
  const list = (id: string, withRelay: string) => outputOf(run, cwd, LIST, [id, withRelay]);
  const ofCall = async (id: string, withRelay: string): Promise<readonly CallProcess[]> =>
    (await list(id, withRelay)).split('\n').flatMap((line) => {
      const [, pid, kilobytes = '', command = ''] = /^(\d+) (\d*) ?(.*)$/.exec(line) ?? [];
      const memory = kilobytes === '' ? undefined : Number(kilobytes) * 1024;
      return pid === undefined ? [] : [{ pid: Number(pid), command: command.trim(), memory }];
    });
  return {
    ofCall: ({ id }) => ofCall(id, ''),
    async end({ id }) {
      await outputOf(run, cwd, KILL, [id]);
      return { left: await ofCall(id, 'all') };
    },
    async mark({ id }, bytes) {
      const escaped = [...bytes].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
      const said = (await outputOf(run, cwd, MARK, [id, escaped])).trim();
      return said === 'put' || said === 'later' ? said : 'impossible';
    },
    memory: async () => machineMemory((await outputOf(run, cwd, SHOW, MEMORY_FILES)).split('\0')),
  };
}

async function outputOf(run: Run, cwd: string, script: string, args: readonly string[]): Promise<string> {
  const command = run(['sh', '-c', script, 'sh', ...args], { cwd, stdin: 'none' });
  command.stderr.resume();
  let output = '';
  command.stdout.setEncoding('utf8');
  command.stdout.on('data', (text: string) => {
    output += text;
  });
  const closed = new Promise((resolve) => command.stdout.once('close', resolve));
  await command.exit;
  await closed;
  return output;
}
