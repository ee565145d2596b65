/** Something the person at the keyboard can mend: shown as its sentence, without a stack, exit code 2. */
export class Problem extends Error {}

/** Runs a script's main function (it returns an exit code) and ends the process with it. */
export async function main(run) {
  try {
    process.exitCode = (await run(process.argv.slice(2))) ?? 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
