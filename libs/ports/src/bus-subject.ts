/** Subjects of the bus: words between dots; a pattern may hold `*` (one word) and, as its last word, `>` (one word or more). */

const SUBJECT = /^[^\s.*>]+(\.[^\s.*>]+)*$/;
const PATTERN = /^(?:(?:\*|[^\s.*>]+)\.)*(?:\*|>|[^\s.*>]+)$/;

/** Throws TypeError: a bad subject is a bug of the caller, and a broker would drop the connection over it. */
export function assertSubject(subject: string): void {
  if (!SUBJECT.test(subject)) throw new TypeError(`not a subject: ${JSON.stringify(subject)}`);
}

export function assertSubjectPattern(pattern: string): void {
  if (!PATTERN.test(pattern)) throw new TypeError(`not a subject pattern: ${JSON.stringify(pattern)}`);
}

export function subjectMatches(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const words = subject.split('.');
  for (const [index, word] of wanted.entries()) {
    if (word === '>') return words.length > index;
    if (index >= words.length || (word !== '*' && word !== words[index])) return false;
  }
  return words.length === wanted.length;
}
