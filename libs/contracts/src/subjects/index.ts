/**
 * Every subject of the bus, built here and nowhere else, general to specific, the uuid last
 * (a node name may hold dots, which would split the subject).
 *
 * `<prefix>.v1.cmd.<concept>.<word>.<uuid>`   requests to the conductors' queue group
 * `<prefix>.v1.due.deadline.elapsed.<uuid>`   timeout events of the scheduler, requests as well
 * `<prefix>.v1.inspector.<word>`              the inspector's calls
 * `<prefix>.v1.ready.<service>`               whether a service serves
 * `<prefix>.v1.alive.<conductor id>`          whether a conductor's process is there at all
 * `<prefix>.v1.hint.<word>`                   wake-ups that may be lost
 * `<prefix>.v1.evt.<concept>.<word>.<uuid>`   published events; the JetStream stream takes `evt.>` and nothing else
 * `<prefix>.v1.ntf.<topic>.<level>`           versioned notifications, in a stream of their own that takes `ntf.>`
 */
export const CONDUCTOR_QUEUE = 'conductor';
export const INSPECTOR_QUEUE = 'inspector';

/** The inspector's calls and what each asks. */
export const inspectorMeanings = {
  start: 'begin an introspection of the node',
  abort: 'end the introspection of the node',
  status: 'how far the introspection is',
  data: 'what a finished introspection found',
  continue: 'take what a ramdisk of the node has posted',
} as const;

export type InspectorWord = keyof typeof inspectorMeanings;
export type HintWord = 'deadlines' | 'log';

/** Names of streams hold no dots. */
const streamPrefix = (prefix: string): string => prefix.replace(/[^A-Za-z0-9_-]/g, '_');

export const subjects = {
  command: (prefix: string, concept: string, word: string, uuid: string): string =>
    `${prefix}.v1.cmd.${concept}.${word}.${uuid}`,
  allCommands: (prefix: string): string => `${prefix}.v1.cmd.>`,
  deadlineElapsed: (prefix: string, uuid: string): string => `${prefix}.v1.due.deadline.elapsed.${uuid}`,
  allDeadlines: (prefix: string): string => `${prefix}.v1.due.deadline.elapsed.*`,
  /** A service's own word on whether it serves. */
  ready: (prefix: string, service: string): string => `${prefix}.v1.ready.${service}`,
  /** Nobody answers: that conductor's process has ended, or has lost the bus. */
  alive: (prefix: string, conductorId: string): string => `${prefix}.v1.alive.${conductorId}`,
  inspector: (prefix: string, word: InspectorWord): string => `${prefix}.v1.inspector.${word}`,
  hint: (prefix: string, word: HintWord): string => `${prefix}.v1.hint.${word}`,
  allEvents: (prefix: string): string => `${prefix}.v1.evt.>`,
  streamName: (prefix: string): string => `${streamPrefix(prefix)}_v1_evt`,
  /** `level` in lower case: where the field's brokers have the routing key `<topic>.<level>`. */
  notification: (prefix: string, topic: string, level: string): string => `${prefix}.v1.ntf.${topic}.${level}`,
  allNotifications: (prefix: string): string => `${prefix}.v1.ntf.>`,
  notificationStreamName: (prefix: string): string => `${streamPrefix(prefix)}_v1_ntf`,
} as const;

/** Concepts whose name is more than one word. */
const longConcepts: readonly string[] = [
  'BootDevice',
  'CleanUp',
  'DeployTemplate',
  'InspectionRule',
  'VolumeConnector',
  'VolumeTarget',
];

const wordsIn = (name: string): string[] => name.match(/[A-Z][a-z0-9]*/g) ?? [name];

const dashed = (name: string): string => wordsIn(name).join('-').toLowerCase();

/** `InspectionAbortRequested` on `node/<uuid>` becomes `<prefix>.v1.evt.inspection.abort-requested.<uuid>`. */
export function eventSubject(prefix: string, stream: string, type: string): string {
  const concept = longConcepts.find((name) => type.startsWith(name)) ?? wordsIn(type)[0] ?? type;
  const word = type.slice(concept.length);
  const uuid = stream.slice(stream.indexOf('/') + 1);
  return `${prefix}.v1.evt.${dashed(concept)}.${word === '' ? 'happened' : dashed(word)}.${uuid}`;
}
