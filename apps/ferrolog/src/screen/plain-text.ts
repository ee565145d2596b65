/** What a terminal would obey, or turn around, instead of showing: control characters and marks of direction. */
const UNSHOWN = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Names and errors come from outside: whatever they hold, they stay one line of text on the screen. */
export const plainText = (text: string): string => text.replace(UNSHOWN, ' ');

/** Without the colours that we ourselves put in. */
export const withoutStyle = (text: string): string => text.replace(STYLE, '');

const STYLE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
