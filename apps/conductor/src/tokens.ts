/** What the conductor's module hands out. */
export const COMMANDS = Symbol('commands');
export const DEADLINES = Symbol('deadlines');
