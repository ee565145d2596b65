import { type BodyWish, bodyWishOf } from '@lib/domain/introspection';

/**
 * How the ramdisk of one boot behaves: `succeed` posts good data; `error` and `ramdisk-error` post that it failed; `never` is not heard of;
 * `late` posts once the inspection is over; `after-abort` posts once it has failed or was aborted; `twice` posts a second
 * time; `slow` gives signs of life long before it posts; `malformed` posts half a body; `crash` is heard of and then gone.
 */
export const ramdiskScriptNames = [
  'succeed',
  'error',
  'ramdisk-error',
  'never',
  'late',
  'after-abort',
  'twice',
  'slow',
  'malformed',
  'crash',
] as const;
export type RamdiskScriptName = (typeof ramdiskScriptNames)[number];

export interface RamdiskScript {
  readonly name: RamdiskScriptName;
  /** From the boot to the post. */
  readonly afterMs: number;
  /** `error`: what the ramdisk says of itself. */
  readonly message: string;
  /** Name of the inventory to post; null = chosen by the node's uuid. */
  readonly inventory: string | null;
  readonly body: BodyWish;
}

const DEFAULT_AFTER_MS = 1000;
const SLOW_AFTER_MS = 30_000;
const DEFAULT_MESSAGE = 'the ramdisk reported a failing disk (scripted)';
/** A year: longer delays are slips of the pen. */
const SECONDS_MAX = 365 * 24 * 3600;

/**
 * What `extra.simulator` of a node asks for; null: nothing, or nothing that a ramdisk can play.
 * @throws InspectorRefusal INVALID: a body that there is not
 */
export function ramdiskScriptOf(extra: Readonly<Record<string, unknown>>): RamdiskScript | null {
  const wish = extra['simulator'];
  if (typeof wish !== 'object' || wish === null) return null;
  const { script, after, message, inventory, body } = wish as Record<string, unknown>;
  const name = ramdiskScriptNames.find((known) => known === script);
  if (!name) return null;
  const given = typeof after === 'number' && after >= 0 && after <= SECONDS_MAX ? Math.round(after * 1000) : null;
  return {
    name,
    afterMs: given ?? (name === 'slow' ? SLOW_AFTER_MS : DEFAULT_AFTER_MS),
    message: typeof message === 'string' ? message : DEFAULT_MESSAGE,
    inventory: typeof inventory === 'string' ? inventory : null,
    body: bodyWishOf(body),
  };
}
