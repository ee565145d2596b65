import { readFileSync } from 'node:fs';

/** Resident memory of a process, MB; 0 when it is gone. */
export function residentMb(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const TICKS_PER_SECOND = 100;

/** Processor time that a process has used so far, ms; 0 when it is gone. */
export function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold blanks; after it come the state and numbers, utime and stime being the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

export type Resident = Readonly<Record<string, number>>;

export const residentOf = (pids: Readonly<Record<string, number>>): Resident =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, residentMb(pid)]));

export const sumOf = (resident: Resident): number => Object.values(resident).reduce((sum, mb) => sum + mb, 0);

/** Looks at processes four times a second and keeps the largest sum, with its parts. */
export class MemoryWatch {
  private most: Resident = {};
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pids: () => Readonly<Record<string, number>>) {
    this.timer = setInterval(() => this.look(), 250);
  }

  get largest(): Resident {
    return this.most;
  }

  stop(): Resident {
    clearInterval(this.timer);
    this.look();
    return this.most;
  }

  private look(): void {
    const now = residentOf(this.pids());
    if (sumOf(now) > sumOf(this.most)) this.most = now;
  }
}
