import type { SealedValue } from '../secrets';
import type { Act, BootMode, MediaType } from './acts';

/** What acts have made of a machine, and what it is to become. */
export interface ManagedState {
  readonly consoleEnabled: boolean;
  /** Null until it was set or read. */
  readonly bootMode: BootMode | null;
  readonly secureBoot: boolean | null;
  /** `{}`: none wanted. */
  readonly targetRaidConfig: Readonly<Record<string, unknown>>;
  /** What cleaning made of a wish; `{}`: none was made. Absent in what older releases wrote. */
  readonly raidConfig?: Readonly<Record<string, unknown>>;
  /** By `indicator@component`: those that were set. */
  readonly indicators: Readonly<Record<string, string>>;
  /** One for each type of device at most. */
  readonly media: readonly AttachedMedia[];
}

export interface AttachedMedia {
  readonly deviceType: MediaType;
  readonly imageUrl: string | SealedValue;
}

export const unmanaged: ManagedState = {
  consoleEnabled: false,
  bootMode: null,
  secureBoot: null,
  targetRaidConfig: {},
  indicators: {},
  media: [],
};

export const indicatorName = (indicator: string, component: string): string => `${indicator}@${component}`;

/** What an act that was carried out has changed. */
export function changedByAct(act: Act, { indicators, media }: ManagedState): Partial<ManagedState> {
  switch (act.act) {
    case 'set console':
      return { consoleEnabled: act.enabled };
    case 'set boot mode':
      return { bootMode: act.mode };
    case 'set secure boot':
      return { secureBoot: act.enabled };
    case 'set indicator':
      return { indicators: { ...indicators, [indicatorName(act.indicator, act.component)]: act.state } };
    case 'attach media': {
      const { deviceType, imageUrl } = act;
      return { media: [...media.filter((one) => one.deviceType !== deviceType), { deviceType, imageUrl }] };
    }
    case 'detach media': {
      const { deviceTypes } = act;
      const left = media.filter((one) => deviceTypes.length > 0 && !deviceTypes.includes(one.deviceType));
      return { media: left };
    }
    case 'inject nmi':
    case 'call vendor method':
      return {};
  }
}
