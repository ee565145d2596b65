/** Paths of the API with their methods: what a 405 names in `Allow` (contract: inspector-api.md §1). A spec holds it against the controllers. */
export const routes: readonly (readonly [path: RegExp, methods: readonly string[]])[] = [
  [/^\/$/, ['GET']],
  [/^\/v1$/, ['GET']],
  [/^\/v1\/introspection$/, ['GET']],
  [/^\/v1\/introspection\/[^/]+$/, ['GET', 'POST']],
  [/^\/v1\/introspection\/[^/]+\/abort$/, ['POST']],
  [/^\/v1\/introspection\/[^/]+\/data$/, ['GET']],
  [/^\/v1\/introspection\/[^/]+\/data\/unprocessed$/, ['GET', 'POST']],
  [/^\/v1\/continue$/, ['POST']],
  [/^\/v1\/rules$/, ['DELETE', 'GET', 'POST']],
  [/^\/v1\/rules\/[^/]+$/, ['DELETE', 'GET']],
  [/^\/ferrolog\/v1\/ready$/, ['GET']],
  [/^\/ferrolog\/v1\/simulator\/log$/, ['GET']],
];

/** Value of `Allow` for a URL, null where there is nothing. */
export const allowedMethods = (url: string): string | null => {
  const path = (url.split('?')[0] ?? '').replace(/(.)\/+$/, '$1');
  const methods = routes.find(([pattern]) => pattern.test(path))?.[1];
  if (!methods) return null;
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
};
