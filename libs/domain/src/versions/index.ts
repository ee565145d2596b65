/**
 * First minor API versions that change a decision. A command names the version of the request where a rule depends on it.
 * contract: microversions.json
 */
export const ruleVersions = {
  /** Nodes and their parts stay as they are while the node is inspecting; older inspectors rely on writing then (39). */
  heldWhileInspecting: 39,
  /** The physical network of the members of a group is changed at the group only (102). */
  groupNetwork: 102,
  /** A runbook has any logical name; before, its name was a trait, matched with the node's (112). */
  runbookNames: 112,
} as const;
