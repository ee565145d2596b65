import type { StoredDocument } from '@lib/ports';
import type { Call } from '../http';
import { fullSelection, type Selection } from '../lists';
import { linkPair, renderTexts, type PutIn } from '../render';
import type { PlainApi } from './plain-api';

export interface ResourceRendering {
  /** All that the version shows, where nothing is said. */
  readonly selection?: Selection;
  /** Fields that this answer shows otherwise than they are stored. */
  readonly put?: Readonly<Record<string, PutIn>>;
}

/** Resources of one kind as the request's version shows them, as JSON texts. */
export function resourceTexts(
  { declared, computed, put }: PlainApi,
  stored: readonly StoredDocument[],
  call: Call,
  rendering: ResourceRendering = {},
): string[] {
  const { fields, path } = declared;
  const { publicUrl, minor } = call;
  const puts = Object.entries(put ?? {}).map(([name, made]): [string, PutIn] => [name, (read) => made(read, minor)]);
  return renderTexts(stored, {
    fields,
    selection: rendering.selection ?? fullSelection(fields, minor),
    publicUrl,
    computed: (id) => ({ links: linkPair(publicUrl, `${path}/${id}`), ...computed?.(publicUrl, id) }),
    put: { ...Object.fromEntries(puts), ...rendering.put },
  });
}

export function resourceText(
  api: PlainApi,
  stored: StoredDocument,
  call: Call,
  rendering: ResourceRendering = {},
): string {
  const [text = ''] = resourceTexts(api, [stored], call, rendering);
  return text;
}
