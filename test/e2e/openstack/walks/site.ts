import { Api, until, type Stack } from '../../../stack';
import type { OpenstackShell } from '../shell';

/** What a walk needs: the client in one process, and the API for what the client has no word for. */
export interface Site {
  readonly stack: Stack;
  readonly shell: OpenstackShell;
  readonly api: Api;
}

/** A walk is asked for its site when its tests run: describing it needs none. */
export type SiteOf = () => Site;

export type Shown = Readonly<Record<string, unknown>>;

/** A node that the client's words may be tried on, in `enroll`. */
export async function enrolled({ shell }: Site, name: string, ...options: string[]): Promise<string> {
  const { uuid } = await shell.json<{ uuid: string }>(
    ...['node', 'create', '--driver', 'fake-hardware', '--name', name],
    ...options,
  );
  return uuid;
}

/** Deletes, and looks that the client finds it no more. */
export async function goes({ shell }: Site, kind: readonly string[], ident: string): Promise<void> {
  expect(await shell.done(...kind, 'delete', ident)).toMatch(/^Deleted /m);
  expect(await shell.refused(...kind, 'show', ident)).toContain('404');
}

export const powerSettles = (api: Api, uuid: string, wanted: string): Promise<unknown> =>
  until(`${uuid} is ${wanted}`, async () => {
    const { power_state: state, reservation } = await api.node(uuid);
    return state === wanted && reservation === null;
  });
