/** How much of each thing a run does. */
export interface Sizes {
  /** Slices of subject and bare part, one after the other; those before them only warm up what is to be measured. */
  readonly slices: number;
  readonly warmUps: number;
  readonly sliceMs: number;
  /** Of a page of nodes at one version: there are many of them. */
  readonly pageMs: number;
  /** Nodes in the log for reads. */
  readonly nodes: { readonly small: number; readonly middle: number; readonly large: number };
  /** Commands of one slice, by the number of connections. */
  readonly commands: readonly { readonly connections: number; readonly count: number }[];
  readonly cycles: { readonly nodes: number; readonly rounds: number };
  /** Machines of one slice, each with a script of its own; those that are not under inspection yet wait for a place. */
  readonly inspections: { readonly slices: number; readonly machines: number; readonly inFlight: number };
  readonly deadlines: { readonly count: number; readonly withinMs: number };
  readonly fold: { readonly slices: number; readonly eventsMax: number };
  readonly settleMs: number;
}

export const full: Sizes = {
  slices: 5,
  warmUps: 1,
  sliceMs: 2_000,
  pageMs: 700,
  nodes: { small: 1_000, middle: 10_000, large: 100_000 },
  commands: [
    { connections: 1, count: 200 },
    { connections: 32, count: 1_000 },
    { connections: 128, count: 1_500 },
  ],
  cycles: { nodes: 1_000, rounds: 3 },
  inspections: { slices: 5, machines: 1_000, inFlight: 128 },
  deadlines: { count: 10_000, withinMs: 10_000 },
  fold: { slices: 3, eventsMax: 200_000 },
  settleMs: 3_000,
};

/** Everything once and small: shows that each measure works, says nothing about speed. */
export const quick: Sizes = {
  slices: 1,
  warmUps: 0,
  sliceMs: 200,
  pageMs: 100,
  nodes: { small: 50, middle: 100, large: 200 },
  commands: [
    { connections: 1, count: 5 },
    { connections: 32, count: 32 },
    { connections: 128, count: 128 },
  ],
  cycles: { nodes: 20, rounds: 1 },
  inspections: { slices: 1, machines: 40, inFlight: 16 },
  deadlines: { count: 100, withinMs: 1_000 },
  fold: { slices: 1, eventsMax: 1_000 },
  settleMs: 200,
};
