/**
 * Kernel parameters as they stand in boot configuration files. The loaders split their lines at blanks, and iPXE reads
 * quotes, `$`, `#`, `||`, `&&` and `;` as its own language, so a parameter that holds any of these is refused rather than quoted.
 */
export const KERNEL_PARAMETERS_MAX = 100;

/** What is wrong with one parameter, null when it can stand in a file. The text does not repeat control characters. */
export function kernelParameterProblem(parameter: string): string | null {
  const shown = JSON.stringify(parameter.slice(0, 80));
  if (!/^[!-~]+$/.test(parameter))
    return `the kernel parameter ${shown} holds blanks, line ends or other odd characters`;
  if (/["'`\\$#;|&]/.test(parameter)) {
    return `the kernel parameter ${shown} holds one of " ' \` \\ $ # ; | &, which boot loaders read as their own`;
  }
  return parameter.startsWith('=') ? `the kernel parameter ${shown} has no name` : null;
}

/** The parameters in a text, separated by blanks; or what is wrong with it. */
export function kernelParametersIn(text: string): readonly string[] | { readonly problem: string } {
  if (/[^ -~]/.test(text)) return { problem: 'kernel parameters hold line ends or other odd characters' };
  const parameters = text.split(' ').filter((word) => word !== '');
  if (parameters.length > KERNEL_PARAMETERS_MAX) {
    return { problem: `these are more than ${KERNEL_PARAMETERS_MAX} kernel parameters` };
  }
  const problem = parameters.map(kernelParameterProblem).find((one) => one !== null);
  return problem === undefined || problem === null ? parameters : { problem };
}

/** One of each name, the later one, in the order in which the names came first. */
export function mergedParameters(...lists: readonly (readonly string[])[]): string[] {
  const byName = new Map(lists.flat().map((parameter) => [parameter.split('=', 1)[0] ?? parameter, parameter]));
  return [...byName.values()];
}
