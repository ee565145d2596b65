/** Standard output and error of a command, one line at a time. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** A reader that has seen enough (`| head`) is no failure: the command ends there, quietly. */
export function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
