/** What is wrong with a boot device, null when the interface takes it (contract: node-api.md §13: 400). */
export function bootDeviceProblem(device: string, taken: readonly string[]): string | null {
  return taken.includes(device)
    ? null
    : `Invalid boot device ${device} specified: only ${taken.join(', ')} can be set.`;
}
