import { boolean, booleanOrUnset, float } from '../scalars';
import { choice, delay, unset } from '../words';

/** In-band inspection. contract: config.md [inspector], inspection.md §4, §9.5, inspector-api.md §7 */
export const inspectorSection = {
  status_check_period: float({
    default: 60,
    min: -1,
    max: 86400,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Time between two looks at the inspector for nodes in `inspect wait`. 0 or less: never.',
  }),
  power_off: boolean({
    default: true,
    readBy: ['conductor'],
    meaning:
      'Power a node off when its inspection ends or times out; one with disable_power_off is rebooted instead. Not with fast track.',
  }),
  require_managed_boot: booleanOrUnset({
    readBy: ['conductor'],
    meaning:
      'Refuse inspection unless the boot interface can boot the ramdisk itself. Unset: false for the interface `inspector`, true for `agent`.',
    difference: {
      ironic: 'true',
      why: 'the last Ironic with the interface `inspector` had it so, and an inspector that boots machines itself needs it',
    },
  }),
  endpoint_override: unset({
    sentence:
      'an inspector over HTTP is not served by this release, which calls the one on the message bus; leave it unset',
    readBy: ['conductor'],
    meaning:
      'Address of an ironic-inspector over HTTP. Only unset is served: the inspector on the message bus is asked.',
    difference: { ironic: null, why: 'Ironic removed it together with the interface `inspector`' },
  }),
  timeout: float({
    default: 10,
    min: 0.1,
    max: 600,
    unit: 's',
    readBy: ['conductor'],
    meaning: 'Longest time that one call to the inspector may take.',
    difference: {
      ironic: null,
      why: 'Ironic removed it together with the interface `inspector`; an abort keeps its caller waiting, so it is short',
    },
  }),
};

export const inventorySection = {
  data_backend: choice({
    of: ['database', 'none'],
    default: 'database',
    refuse: { swift: 'swift is not served by this release; set database or none' },
    readBy: ['conductor'],
    meaning: 'Where inspection data is kept.',
  }),
};

export const deploySection = {
  fast_track: boolean({
    default: false,
    readBy: ['conductor'],
    meaning: 'Keep a running agent between operations: no power off at the end of an inspection.',
  }),
};

export const fakeSection = {
  inspect_delay: delay({
    default: 0,
    maxS: 86400,
    readBy: ['conductor'],
    meaning:
      'How long the inspect interface `fake` takes. With two numbers the time is drawn between them, most often near the first.',
  }),
};
