/** The inspector's own state machine, as a table (contract: inspector-states.json). */
export const introspectionStates = [
  'starting',
  'waiting',
  'processing',
  'finished',
  'error',
  'reapplying',
  'enrolling',
  'aborting',
] as const;

export type IntrospectionState = (typeof introspectionStates)[number];

export type IntrospectionEvent =
  'start' | 'wait' | 'process' | 'finish' | 'error' | 'timeout' | 'reapply' | 'abort' | 'abort_end';

export const introspectionTransitions: Record<
  IntrospectionState,
  Partial<Record<IntrospectionEvent, IntrospectionState>>
> = {
  starting: { wait: 'waiting', error: 'error', timeout: 'error' },
  waiting: { process: 'processing', abort: 'aborting', start: 'starting', timeout: 'error' },
  processing: { finish: 'finished', error: 'error', timeout: 'error' },
  finished: { finish: 'finished', reapply: 'reapplying', start: 'starting' },
  error: { abort: 'error', error: 'error', reapply: 'reapplying', start: 'starting' },
  reapplying: { finish: 'finished', error: 'error', reapply: 'reapplying', timeout: 'error' },
  enrolling: { process: 'processing', error: 'error', timeout: 'error' },
  aborting: { abort_end: 'error', timeout: 'error' },
};

export const nextIntrospectionState = (
  state: IntrospectionState,
  event: IntrospectionEvent,
): IntrospectionState | undefined => introspectionTransitions[state][event];

export const isIntrospectionState = (text: string): text is IntrospectionState =>
  (introspectionStates as readonly string[]).includes(text);

/** Provision states in which the inspector works on a node; `inspect wait` is among them since the mission. */
export const inspectableProvisionStates: readonly string[] = [
  'enroll',
  'manageable',
  'inspecting',
  'inspect wait',
  'inspect failed',
];

/** Those in which it works on a node besides, where that is permitted (`permit_active_introspection`). */
export const activeProvisionStates: readonly string[] = ['active', 'rescue'];
