import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A shell's way to say that a signal ended a process. */
const exitCodeOf = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0);

/**
 * Runs a program with our terminal and waits for its end; signals that reach us are passed on, so nothing is left behind.
 * `group`: in a process group of its own, whose stragglers are ended too; otherwise a terminal's Ctrl-C reaches the
 * child by itself, and passing it on would deliver it twice.
 * Returns the exit code (128 + signal number after a signal).
 */
export function runInForeground(command, args, { env = process.env, group = false } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env,
    detached: group,
    stdio: [group ? 'ignore' : 'inherit', 'inherit', 'inherit'],
  });
  const pass = (signal) => {
    if (!group && signal === 'SIGINT' && process.stdin.isTTY) return;
    signalGroup(child, signal, group);
  };
  signals.forEach((signal) => process.on(signal, pass));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      signals.forEach((name) => process.off(name, pass));
      if (group) signalGroup(child, 'SIGKILL', true);
      resolve(exitCodeOf(code, signal));
    });
  });
}

function signalGroup(child, signal, group) {
  try {
    process.kill(group ? -child.pid : child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Runs a program silently. Returns { code, output } with both streams in the order they came. */
export function runSilently(command, args, { env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (chunk) => (output += chunk);
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code, signal) => resolve({ code: exitCodeOf(code, signal), output }));
  });
}

/** Says what is happening, and every ten seconds that it still is. Returns what `work` returns. */
export async function withProgress(title, work) {
  const started = process.hrtime.bigint();
  const seconds = () => Number((process.hrtime.bigint() - started) / 1_000_000_000n);
  process.stderr.write(`${title} ...\n`);
  const ticker = setInterval(() => process.stderr.write(`  ... ${seconds()} s\n`), 10_000);
  try {
    return await work();
  } finally {
    clearInterval(ticker);
  }
}
