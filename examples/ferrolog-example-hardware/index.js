/** An extension of ferrolog (docs/extending.md): the hardware type `example-rack`, with power and inspect interfaces of its own. */
const { ask, problemOf } = require('./rack');

const NAME = 'example-rack';

const validate = ({ driverInfo }) => problemOf(driverInfo);
const stateOf = ({ power }) => (power === 'on' ? 'power on' : 'power off');

const power = {
  validate,
  read: async (machine, call) => stateOf(await ask(machine, call, 'GET', '')),
  async change(machine, target, _timeoutSeconds, call) {
    const before = await ask(machine, call, 'GET', '');
    const steps = /rebooting$/.test(target) ? ['off', 'on'] : [target === 'power on' ? 'on' : 'off'];
    for (const step of steps) {
      // Between two calls to the hardware: is what this serves still wanted?
      await call.stillStands();
      await ask(machine, call, 'PUT', '/power', { power: step });
    }
    const powerState = stateOf({ power: steps.at(-1) });
    return { powerState, changed: steps.length > 1 || powerState !== stateOf(before) };
  },
};

const inspect = {
  validate,
  /** The rack surveys by itself, so the node waits and whoever comes later asks how it went. May be called again. */
  async inspect(machine, call) {
    await ask(machine, call, 'POST', '/survey');
    return { returned: 'INSPECTWAIT' };
  },
  async report(_uuid, call, machine) {
    const { survey } = await ask(await machine(), call, 'GET', '');
    if (!survey || survey.state === 'running') return { state: survey ? 'running' : 'unknown' };
    const { startedAt, error = null, found = null } = survey;
    return { state: 'ended', startedAt, error: survey.state === 'failed' ? error : null, data: found };
  },
  async abort(machine, call) {
    await ask(machine, call, 'DELETE', '/survey');
  },
  /** The probe goes back whichever way the inspection ended; the key lets the rack know a call that comes twice. */
  async leftInspectWait(machine, { outcome, key }, call) {
    await ask(machine, call, 'POST', '/release', { outcome }, { 'idempotency-key': key });
  },
};

module.exports = {
  apiVersion: 1,
  open: () => ({
    hardwareTypes: [
      {
        name: NAME,
        supports: { power: [NAME], inspect: [NAME, 'agent'] },
        properties: {
          rack_address: 'Address of the manager of the rack. Required.',
          rack_slot: 'Number of the slot, from 1 on. Required.',
        },
      },
    ],
    interfaces: { power: { [NAME]: power }, inspect: { [NAME]: inspect } },
  }),
};
