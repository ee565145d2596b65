import type { Option, ValueOf } from './option';
import { apiSection, corsSection, healthcheckSection, osloMiddlewareSection } from './sections/api';
import { pxeSection } from './sections/boot';
import { conductorSection } from './sections/conductor';
import { defaultSection } from './sections/default';
import {
  agentSection,
  deploySection,
  fakeSection,
  inspectionRulesSection,
  inspectorSection,
  autoDiscoverySection,
  inventorySection,
} from './sections/inspection';
import { agentContainersSection, metricsSection, metricsStatsdSection } from './sections/ramdisk-agent';
import { redfishSection } from './sections/redfish';
import { simulatorSection } from './sections/simulator';

/** Every section and option that this release reads, under the field's own names. */
export const sections = {
  DEFAULT: defaultSection,
  api: apiSection,
  oslo_middleware: osloMiddlewareSection,
  cors: corsSection,
  healthcheck: healthcheckSection,
  conductor: conductorSection,
  inspector: inspectorSection,
  auto_discovery: autoDiscoverySection,
  inventory: inventorySection,
  inspection_rules: inspectionRulesSection,
  agent: agentSection,
  metrics: metricsSection,
  metrics_statsd: metricsStatsdSection,
  agent_containers: agentContainersSection,
  pxe: pxeSection,
  deploy: deploySection,
  redfish: redfishSection,
  fake: fakeSection,
  simulator: simulatorSection,
} as const;

type Sections = typeof sections;

/** The settings in force: `settings.conductor.inspect_wait_timeout` is a number of seconds. */
export type Settings = {
  readonly [S in keyof Sections]: { readonly [O in keyof Sections[S]]: ValueOf<Sections[S][O]> };
};

/** One option with the place it is declared at. */
export interface DeclaredOption {
  readonly section: string;
  readonly name: string;
  readonly option: Option<unknown>;
}

export function declaredOptions(): readonly DeclaredOption[] {
  return Object.entries(sections).flatMap(([section, options]) =>
    Object.entries<Option<unknown>>(options).map(([name, option]) => ({ section, name, option })),
  );
}
