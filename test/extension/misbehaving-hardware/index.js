/** An extension that does whatever driver_info.plays says, and most of that is wrong. */
const circle = {};
circle.circle = circle;

const plays = {
  'returns INSPECTING': () => ({ returned: 'INSPECTING' }),
  'returns nonsense': () => ({ returned: 'WARP SPEED' }),
  'returns nothing': () => undefined,
  'returns a circle': () => ({ returned: 'MANAGEABLE', data: { inventory: circle, pluginData: {} } }),
  raises: () => {
    throw new Error('the rack is on fire');
  },
  'raises a bug': () => undefined.rack,
  'throws later': () => {
    setTimeout(() => {
      throw new Error('nobody catches this');
    }, 10);
    return { returned: 'MANAGEABLE' };
  },
  'forgets a promise': () => {
    Promise.reject(new Error('nobody waits for this'));
    return { returned: 'MANAGEABLE' };
  },
};

const inspect = {
  validate({ driverInfo }) {
    if (driverInfo.plays === 'breaks at validate') throw new TypeError('rack is not defined');
    return null;
  },
  inspect: async ({ driverInfo }) => plays[driverInfo.plays](),
};

module.exports = {
  apiVersion: 1,
  open: () => ({ interfaces: { inspect: { misbehaving: inspect } } }),
};
