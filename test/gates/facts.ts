/** The contract's own table of versions: what the generated tests ask for comes from it, not from our declarations. */
import facts from '../contract-data/microversions.json';

export { facts };

export const NEWEST = 115;

/** The contract's words at both sides of a gate: one version before it, the gate, one after. */
export const around = (gate: number): number[] => [gate - 1, gate, gate + 1].filter((one) => one >= 1 && one <= NEWEST);
