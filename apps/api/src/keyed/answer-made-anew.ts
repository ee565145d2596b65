/**
 * The answer to an accepted request that nobody was given: the api died, or could not keep it. What was made or changed is
 * shown as it is now. contract: errors-and-negotiation.md §4
 */
import { ApiFault } from '../faults';
import { accepted, empty, type Answer, type Call } from '../http';
import type { Found } from '../router';

/** GET of a path below /v1, as the same client would ask it. */
export type Show = (segments: readonly string[]) => Promise<Answer>;

export async function answerMadeAnew(found: Found, call: Call, target: string, show: Show): Promise<Answer> {
  const { pattern } = found;
  const uuid = target.slice(target.indexOf('/') + 1);
  const { again } = found;
  if (again) return unlessGone(() => again(call, uuid));
  if (call.method === 'PATCH') return { ...(await shown([...collectionOf(pattern), uuid], show)), status: 200 };
  if (call.method === 'POST' && !pattern.includes('{')) {
    const answer = await shown([...collectionOf(pattern), uuid], show);
    return {
      ...answer,
      status: 201,
      headers: { ...answer.headers, Location: `${call.publicUrl}/v1/${pattern}/${uuid}` },
    };
  }
  return emptyAnswer(pattern, call);
}

/** `volume/connectors/{uuid}` -> volume, connectors. */
const collectionOf = (pattern: string): string[] => pattern.split('/').filter((segment) => !segment.startsWith('{'));

const shown = (segments: readonly string[], show: Show): Promise<Answer> => unlessGone(() => show(segments));

async function unlessGone(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status !== 404) throw error;
    throw new ApiFault(404, `The request was carried out, but what it was about is gone meanwhile: ${error.message}`);
  }
}

function emptyAnswer(pattern: string, call: Call): Answer {
  const { publicUrl, params } = call;
  const location = (path: string) =>
    `${publicUrl}/v1/${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}`;
  if (pattern.endsWith('/traits/{trait}')) return empty(204, { Location: location(pattern) });
  // What a vendor's method said is not known any more; that it was taken is.
  if (pattern === 'nodes/{ident}/maintenance' || pattern.endsWith('/vendor_passthru')) return accepted();
  if (pattern === 'nodes/{ident}/states/console') return accepted(location(pattern));
  if (pattern.startsWith('nodes/{ident}/states/') && !pattern.endsWith('/raid'))
    return accepted(location('nodes/{ident}/states'));
  return empty(204);
}
