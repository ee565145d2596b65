import { spawn, type ChildProcess } from 'node:child_process';

/**
 * A shell that reads `pid marker` lines from its input and, when that input ends, kills what is left of them. It is what
 * cleans up when jest itself is killed: no exit handler runs then. Pids may be reused, so only a process that carries
 * the marker in its environment or command line is ours; `up` starts services of its own, known by their pid files.
 */
const SCRIPT = `
home="$1"; watched=""
while read -r pid marker; do watched="$watched $pid:$marker"; done
for file in "$home"/run/*.pid; do watched="$watched $(cat "$file" 2>/dev/null):$home"; done
for entry in $watched; do
  pid="\${entry%%:*}"; marker="\${entry#*:}"
  if cat "/proc/$pid/environ" "/proc/$pid/cmdline" 2>/dev/null | tr '\\0' '\\n' | grep -qF "$marker"; then
    kill -9 "$pid" 2>/dev/null
  fi
done
[ "$2" = keep ] || rm -rf "$home" 2>/dev/null || { sleep 0.2; rm -rf "$home"; }
`;

export class Guard {
  static readonly script = SCRIPT;
  private readonly shell: ChildProcess;

  constructor(
    private readonly home: string,
    keepHome = false,
  ) {
    this.shell = spawn('/bin/sh', ['-c', SCRIPT, 'stack-guard', home, keepHome ? 'keep' : 'remove'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true, // Ctrl-C must reach the tests, not the one who cleans up after them.
    });
    this.shell.stdin?.on('error', () => undefined);
    this.shell.unref();
    (this.shell.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  }

  /** `marker` is what tells the process from a later one with its pid; without blanks. */
  watch(pid: number, marker: string = this.home): void {
    this.shell.stdin?.write(`${pid} ${marker}\n`);
  }

  /** Kills what is left and removes the home. To be called when everything should have ended by itself. */
  async fire(): Promise<void> {
    const { shell } = this;
    if (shell.exitCode !== null || shell.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
    shell.ref();
    shell.stdin?.end();
    await ended;
  }
}
