/** How a command line is handed to a shell. */
interface ShellCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** What the shell reads as its input before it runs anything. */
  readonly stdin: string;
}

/** In the environment of all processes of one call, so that they are found wherever they went. */
export const CALL_VARIABLE = 'EMEND_CALL';
/** In the environment of the process that stands between a command's output and us. */
export const RELAY_VARIABLE = 'EMEND_RELAY';

/**
 * Whoever writes to a pipe that nobody reads is killed, so a process stands between the command and us: it passes on
 * what it reads, and when we are gone it reads on. Background children can so outlive us.
 */
const RELAY = `exec env ${RELAY_VARIABLE}=1 sh -c 'trap "" HUP INT TERM; cat; exec cat >/dev/null'`;

/**
 * The command comes by stdin, so that it stands in no argument list (`pkill -f` of a word in it would end its own
 * shell) and may be of any length; then its input is empty. The second exec keeps the relay from being a job of the
 * command's shell, whose `wait` would wait for it.
 */
const READ = 'set -- "$(cat)"; exec </dev/null; eval "set --; $1"';
const BASH = `exec > >(${RELAY}) 2>&1; exec bash --norc -c '${READ}' bash`;
const SH = `exec 2>&1; ${READ}`;

/** Nothing waits for a person: pagers pass through, editors leave at once, questions for passwords fail. */
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  SUDO_ASKPASS: 'false',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
  TERM: 'dumb',
};

/** Whether a command line is that of a shell which this module started. */
export function isOwnShell(commandLine: string): boolean {
  return commandLine.includes('eval "set --; $1"');
}

/** The command for a shell; `sh` where there is no bash, without the relay. */
export function shellCommand(command: string, shell: 'bash' | 'sh', callId: string): ShellCommand {
  // Written with CRLF throughout, each line would end in a `\r` that the shell takes for a part of its last word.
  const stdin = /(?:^|[^\r])\n/.test(command) ? command : command.replaceAll('\r\n', '\n');
  return {
    // Where its input is a socket, as Node's pipes are, and no shell is above it, bash would read ~/.bashrc.
    argv: shell === 'bash' ? [shell, '--norc', '-c', BASH, shell] : [shell, '-c', SH, shell],
    env: { ...UNATTENDED, [CALL_VARIABLE]: callId },
    stdin,
  };
}
