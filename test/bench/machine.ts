import { spawnSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { natsServerPath } from '@lib/testing';
import { VERSION } from 'sqlite3';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  readonly nats: string;
  readonly sqlite: string;
  /** Before the first measure: over 1, 5 and 15 minutes. */
  readonly loadAverage: readonly number[];
}

export function thisMachine(): Machine {
  const processors = cpus();
  const nats = natsServerPath();
  const version = nats === null ? '' : spawnSync(nats, ['--version'], { encoding: 'utf8' }).stdout;
  return {
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round((totalmem() / 2 ** 30) * 10) / 10,
    kernel: release(),
    node: process.versions.node,
    nats: /v?(\d+[.]\d+[.]\d+)/.exec(version)?.[1] ?? 'none',
    sqlite: VERSION,
    loadAverage: loadavg().map((value) => Math.round(value * 100) / 100),
  };
}

export const machineText = ({ cores, processor, memoryGb, kernel, node, nats, sqlite, loadAverage }: Machine): string =>
  `${cores} cores of ${processor}, ${memoryGb} GB, Linux ${kernel}; Node ${node}, nats-server ${nats}, SQLite ${sqlite}; ` +
  `load average ${loadAverage.join(' ')}`;
