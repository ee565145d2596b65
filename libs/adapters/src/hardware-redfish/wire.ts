import type { JsonObject } from '@lib/domain';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectIn = (document: JsonObject, key: string): JsonObject => {
  const value = document[key];
  return isObject(value) ? value : {};
};

export const textIn = (document: JsonObject, key: string): string | null => {
  const value = document[key];
  return typeof value === 'string' && value !== '' ? value : null;
};

export const numberIn = (document: JsonObject, key: string): number | null => {
  const value = document[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** Values that an action or a property takes; null where the BMC does not say. */
export function allowableIn(document: JsonObject, key: string): readonly string[] | null {
  const values = document[`${key}@Redfish.AllowableValues`];
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : null;
}

/** `{"@odata.id": "/redfish/v1/..."}`; of an address of its own only the path. */
export function pathIn(link: unknown): string | null {
  if (!isObject(link)) return null;
  const path = link['@odata.id'];
  if (typeof path !== 'string' || path === '') return null;
  if (path.startsWith('/')) return path;
  return URL.canParse(path) ? new URL(path).pathname : null;
}

const MESSAGE_CHARS_MAX = 1000;

/** The error body of a BMC, as far as it is one; else what it said. */
export function errorIn(text: string): { readonly message: string; readonly messageIds: readonly string[] } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return {
      message: text
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, MESSAGE_CHARS_MAX),
      messageIds: [],
    };
  }
  const error = isObject(body) ? objectIn(body, 'error') : {};
  const extended = error['@Message.ExtendedInfo'];
  const infos = (Array.isArray(extended) ? extended : [extended]).filter(isObject);
  const messages = [error['message'], ...infos.map(({ Message }) => Message)];
  const said = messages.filter((one) => typeof one === 'string' && one !== '') as string[];
  return {
    message: [...new Set(said)].join(' ').slice(0, MESSAGE_CHARS_MAX),
    messageIds: [error['code'], ...infos.map(({ MessageId }) => MessageId)].filter((id) => typeof id === 'string'),
  };
}
