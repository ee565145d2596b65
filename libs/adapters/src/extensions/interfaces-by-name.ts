import type {
  ActingInterface,
  BootInterface,
  Clock,
  ContributedInterfaces,
  InspectInterface,
  LifecycleInterface,
  ManagementInterface,
  NetworkInterface,
  PartsInterface,
  PowerInterface,
  RaidInterface,
} from '@lib/ports';
import { guarded } from './guard';
import type { Kind } from './shapes';

interface Found {
  readonly inspect: InspectInterface;
  readonly power: PowerInterface;
  readonly management: ManagementInterface;
  readonly managementActs: ActingInterface;
  readonly boot: BootInterface;
  readonly network: NetworkInterface;
  readonly deploy: LifecycleInterface;
  readonly rescue: LifecycleInterface;
  readonly console: ActingInterface;
  readonly vendor: ActingInterface;
  readonly raid: RaidInterface;
  readonly bios: PartsInterface;
  readonly firmware: PartsInterface;
}

/** The interfaces of all extensions, each behind its guard. */
export class InterfacesByName {
  private readonly all = new Map<string, object>();

  /** The names were found to be free. */
  add(interfaces: ContributedInterfaces, clock: Clock): void {
    for (const [kind, byName] of Object.entries(interfaces) as [Kind, Record<string, object>][]) {
      for (const [name, given] of Object.entries(byName)) {
        this.all.set(`${kind} ${name}`, guarded(kind, name, given, clock));
      }
    }
  }

  get<K extends Kind>(kind: K, name: string): Found[K] | null {
    // The guard has given it every function of its kind.
    return (this.all.get(`${kind} ${name}`) as Found[K] | undefined) ?? null;
  }

  /** Inspect interfaces whose peer is asked how far it is. */
  get reporting(): readonly string[] {
    const names = [...this.all.keys()].flatMap((key) => (key.startsWith('inspect ') ? [key.slice(8)] : []));
    return names.filter((name) => this.get('inspect', name)?.report !== undefined);
  }
}
