import type { TextRule } from '../scalars';

/** A host is shown in paths and texts (`GET /v1/conductors/{hostname}`), so it is one word without a slash. */
export const hostNameRule: TextRule = {
  accepts: 'letters, digits and . _ : -, up to 255',
  check: (text) =>
    /^[A-Za-z0-9._:-]{1,255}$/.test(text)
      ? undefined
      : `"${text}" is no host name (letters, digits and . _ : -, up to 255)`,
};

/** contract: node-api.md §1 (conductor_group) */
export const groupNameRule: TextRule = {
  accepts: 'letters, digits and . _ -, up to 255, or empty',
  check: (text) =>
    /^[A-Za-z0-9._-]{0,255}$/.test(text)
      ? undefined
      : `"${text}" is no group name (letters, digits and . _ -, up to 255)`,
};

export const hardwareTypeRule: Required<TextRule> = {
  accepts: 'the name of a hardware type',
  check: (text) => (/^[\w.-]{1,255}$/.test(text) ? undefined : `"${text}" is no name of a hardware type`),
};

/** The modes that machines boot in. */
export const bootModes = { noun: 'boot mode', known: ['bios', 'uefi'] } as const;
