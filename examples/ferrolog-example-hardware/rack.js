/**
 * The manager of a rack, over HTTP with JSON:
 *   GET    /slots/<n>          {"power": "on" | "off", "survey": null | {"state": "running" | "finished" | "failed",
 *                               "startedAt": <epoch ms>, "error": <text>, "found": {"inventory": {...}}}}
 *   PUT    /slots/<n>/power    {"power": "on" | "off"}
 *   POST   /slots/<n>/survey   borrows the rack's probe for the slot and begins to survey the machine
 *   DELETE /slots/<n>/survey   ends the survey; the probe stays borrowed
 *   POST   /slots/<n>/release  {"outcome": <how the inspection ended>}; gives the probe back, once for each Idempotency-Key
 */

/** What is wrong with a node's driver_info, null when a rack and a slot can be read from it. */
function problemOf({ rack_address: address, rack_slot: slot }) {
  if (typeof address !== 'string' || !URL.canParse(address)) return 'driver_info.rack_address is no URL.';
  return Number.isInteger(slot) && slot > 0 ? null : 'driver_info.rack_slot is no number of a slot.';
}

/** What `fetch` rejects with tells nobody which rack was asked; a plain Error is what a person reads in `last_error`. */
const unreachable = (address) => (error) => {
  throw new Error(`the rack at ${address} does not answer: ${error.cause?.message ?? error.message}`);
};

/** One request; its signal is the call's, so that nothing hangs for longer than the conductor waits for it. */
async function ask({ driverInfo }, { signal }, method, path, body, headers = {}) {
  const { rack_address: address, rack_slot: slot } = driverInfo;
  const response = await fetch(new URL(`/slots/${slot}${path}`, address), {
    method,
    signal,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(unreachable(address));
  const text = await response.text();
  if (!response.ok) throw new Error(`the rack answers ${method} ${path || 'slot'} with ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

module.exports = { ask, problemOf };
