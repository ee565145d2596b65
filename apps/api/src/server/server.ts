/**
 * One request from its headers to its answer, whatever carries it: identity, limits, Accept, version, route, faults.
 * contract: errors-and-negotiation.md §1-5, §7-8
 */
import type { IncomingHttpHeaders } from 'node:http';
import { MINOR_MAX, MINOR_MIN, since } from '@lib/contracts';
import { LogUnavailable } from '@lib/ports';
import { corsHeaders, preflight } from '../cors';
import { rootDocument, v1Document } from '../discovery';
import { ApiFault, faultBody, methodNotAllowed, unknownPath } from '../faults';
import { ownNodePath, ownNodeRoute, readyOf } from '../ferrolog';
import {
  bodyBytesMax,
  checkDepth,
  clientAddress,
  isJson,
  ok,
  publicUrl,
  QueryArguments,
  tooLarge,
  type Answer,
  type Call,
  type Services,
} from '../http';
import { describeApi, OPENAPI_PATH } from '../openapi';
import { negotiate, type Negotiated } from '../version';
import { carriedOut } from './carried-out';
import { checkHost } from './check-host';
import { globalRequestIdOf, underGlobalRequest } from './global-request';
import { routes } from './routes';

export interface RawRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a request when its answer goes out. */
interface Context {
  readonly raw: RawRequest;
  readonly path: string;
  readonly search: string;
  readonly requestId: string;
  negotiated: Negotiated | undefined;
  node: string | undefined;
}

const REASON_HEADER = 'x-ferrolog-reason';
const JSON_TYPE = 'application/json';

/** A read may also fail after the command was carried out, when its result is to be shown. */
const unreadable = ({ message }: LogUnavailable, method: string): ApiFault => {
  const outcome = method === 'GET' || method === 'HEAD' ? '' : '; whether the request was carried out is unknown';
  return new ApiFault(503, `The log can not be read now${outcome}. ${message}`);
};

export class ApiServer {
  constructor(private readonly services: Services) {}

  async handle(raw: RawRequest): Promise<RawAnswer> {
    const startedAt = this.services.clock.now();
    const context = this.contextOf(raw);
    const answer = this.shared(
      raw,
      preflight(raw.method, raw.headers, this.services.settings.cors) ?? (await this.answer(context)),
    );
    this.log(context, answer.status, this.services.clock.now() - startedAt);
    return answer;
  }

  /** The answer to a request whose body was refused while it was read. */
  refuse(raw: Omit<RawRequest, 'body'>, fault: ApiFault): RawAnswer {
    const context = this.contextOf({ ...raw, body: new Uint8Array() });
    this.log(context, fault.status, 0);
    if (fault.status >= 500) {
      const { requestId, path } = context;
      this.services.logger.error({ requestId, path, stack: fault.stack }, 'unexpected error while reading');
    }
    return this.shared(raw, this.faulty(context, fault));
  }

  /** With the word that a browser may let a page of another origin read it, where the settings say so. */
  private shared({ headers }: Pick<RawRequest, 'headers'>, answer: RawAnswer): RawAnswer {
    const allowed = corsHeaders(headers, this.services.settings.cors);
    return allowed === null ? answer : { ...answer, headers: { ...answer.headers, ...allowed } };
  }

  private contextOf(raw: RawRequest): Context {
    const at = raw.url.indexOf('?');
    const [path, search] = at < 0 ? [raw.url, ''] : [raw.url.slice(0, at), raw.url.slice(at + 1)];
    const requestId = `req-${this.services.chance.uuid()}`;
    return { raw, path, search, requestId, negotiated: undefined, node: undefined };
  }

  private async answer(context: Context): Promise<RawAnswer> {
    try {
      // OPTIONS outside CORS: an empty 200 that carries nothing.
      if (context.raw.method === 'OPTIONS') return { status: 200, headers: {}, body: '' };
      checkHost(context.raw.headers.host);
      const own = await this.ownPaths(context);
      return own ?? this.finished(context, await this.contractAnswer(context));
    } catch (error) {
      return this.faulty(context, this.faultOf(context, error));
    }
  }

  /** Paths that are no part of the contract's /v1: no versions there. */
  private async ownPaths(context: Context): Promise<RawAnswer | undefined> {
    const { path, raw, search } = context;
    const isGet = raw.method === 'GET' || raw.method === 'HEAD';
    const ofNode = ownNodePath(path);
    const readiness = /^\/ferrolog\/v1\/ready(?:\/([^/]+))?\/?$/.exec(path);
    if (path !== '/healthcheck' && path !== OPENAPI_PATH && !readiness && !ofNode) return undefined;
    if (path === '/healthcheck' && !this.services.settings.healthcheck.enabled) throw unknownPath();
    if (ofNode) return this.finished(context, await this.ofNode(context, ofNode));
    if (!isGet) throw methodNotAllowed(['GET']);
    if (path === '/healthcheck')
      return { status: 200, headers: { 'content-type': 'text/plain', ...ids(context) }, body: '' };
    if (path === OPENAPI_PATH) return this.finished(context, describeApi(new QueryArguments(search), this.services));
    return this.finished(context, await readyOf(this.services, readiness?.[1] ?? 'api'));
  }

  private ofNode(context: Context, { pattern, params }: NonNullable<ReturnType<typeof ownNodePath>>): Promise<Answer> {
    const read = Object.entries(params).map(([name, value]) => [name, decoded(value)]);
    const named = Object.fromEntries(read) as Record<string, string>;
    const found = ownNodeRoute(pattern, context.raw.method, named);
    this.checkBody(context);
    context.node = named['ident'];
    return carriedOut(found, this.call(context, MINOR_MAX, named, false), context.raw.headers, routes);
  }

  private async contractAnswer(context: Context): Promise<Answer> {
    const { raw, path } = context;
    this.checkBody(context);
    checkAccept(raw.headers.accept);
    const negotiated = negotiate(raw.headers);
    context.negotiated = negotiated;
    if (negotiated.outcome !== 'agreed') throw unsupported(negotiated, path);
    const base = publicUrl(raw.headers, this.services.settings);
    if (path === '/' || path === '') return ok(rootDocument(base));
    const { segments, cut } = segmentsOf(path, negotiated.explicit && negotiated.minor < since.jsonSuffixIsIdent);
    if (segments.length === 0) return this.v1(raw.method, base, negotiated.minor);
    checkSlash(raw.method, path, segments);
    const found = routes.find(raw.method, segments, negotiated.minor);
    context.node = found.pattern.startsWith('nodes/{ident}') ? found.params['ident'] : undefined;
    const jsonCut = cut && segments.length === 2;
    return carriedOut(found, this.call(context, negotiated.minor, found.params, jsonCut), raw.headers, routes);
  }

  private v1(method: string, base: string, minor: number): Answer {
    if (method !== 'GET' && method !== 'HEAD') throw new ApiFault(405, `${method} is not allowed on /v1.`);
    return ok(v1Document(base, minor));
  }

  private call(context: Context, minor: number, params: Readonly<Record<string, string>>, jsonCut: boolean): Call {
    const { raw, search, requestId } = context;
    return {
      method: raw.method,
      params,
      query: new QueryArguments(search),
      minor,
      jsonCut,
      requestId,
      requester: null,
      ...reasonOf(raw.headers),
      publicUrl: publicUrl(raw.headers, this.services.settings),
      contentType: raw.headers['content-type'],
      body: raw.body,
      services: underGlobalRequest(this.services, globalRequestIdOf(raw.headers)),
    };
  }

  private checkBody({ raw, path }: Context): void {
    if (raw.body.length === 0 || !isJson(raw.headers['content-type'])) return;
    const { api } = this.services.settings;
    const bytesMax = bodyBytesMax(path, api);
    if (raw.body.length > bytesMax) throw tooLarge(bytesMax);
    checkDepth(raw.body, api.max_json_body_depth);
  }

  private faultOf(context: Context, error: unknown): ApiFault {
    if (error instanceof ApiFault) return error;
    const { requestId, path, raw } = context;
    if (error instanceof LogUnavailable) return unreadable(error, raw.method);
    const stack = error instanceof Error ? error.stack : String(error);
    this.services.logger.error({ requestId, method: raw.method, path, stack }, 'unexpected error');
    return new ApiFault(500, error instanceof Error ? error.message : 'Internal error.');
  }

  private faulty(context: Context, fault: ApiFault): RawAnswer {
    const allow: Record<string, string> = fault.allow.length > 0 ? { allow: [...fault.allow].sort().join(', ') } : {};
    const body = fault instanceof NotAcceptableAccept ? fault.body : faultBody(fault);
    const versions =
      fault.form === 'resource' || context.negotiated?.outcome === 'unsupported' ? versionHeaders(context) : {};
    return {
      status: fault.status,
      headers: { 'content-type': JSON_TYPE, ...ids(context), ...versions, ...allow },
      body: context.raw.method === 'HEAD' ? '' : body,
    };
  }

  private finished(context: Context, answer: Answer): RawAnswer {
    const type: Record<string, string> = answer.body === null ? {} : { 'content-type': JSON_TYPE };
    return {
      status: answer.status,
      headers: { ...type, ...ids(context), ...versionHeaders(context), ...lowerCased(answer.headers) },
      body: context.raw.method === 'HEAD' ? '' : (answer.body ?? ''),
    };
  }

  /** What was read and answered well is nothing to tell: whoever looks every other second would drown the rest. */
  private log({ raw, path, requestId, node }: Context, status: number, ms: number): void {
    const client = clientAddress(raw.headers, this.services.settings);
    const globalRequestId = globalRequestIdOf(raw.headers);
    const known = { node, client, globalRequestId };
    const told = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
    const level = raw.method === 'GET' && status < 400 ? 'debug' : 'info';
    this.services.logger[level]({ requestId, method: raw.method, path, status, ms, ...told }, 'request');
  }
}

const ids = ({ requestId }: Context): Record<string, string> => ({
  'openstack-request-id': requestId,
  'x-openstack-request-id': requestId,
});

function versionHeaders({ negotiated }: Context): Record<string, string> {
  if (!negotiated || negotiated.outcome === 'unparsable') return {};
  return {
    'x-openstack-ironic-api-minimum-version': `1.${MINOR_MIN}`,
    'x-openstack-ironic-api-maximum-version': `1.${MINOR_MAX}`,
    ...(negotiated.outcome === 'agreed' ? { 'x-openstack-ironic-api-version': `1.${negotiated.minor}` } : {}),
  };
}

/** Header values come as bytes of latin-1; what a client sends beyond ASCII is UTF-8. */
function reasonOf({ [REASON_HEADER]: value }: IncomingHttpHeaders): Pick<Call, 'reason'> {
  return typeof value === 'string' ? { reason: Buffer.from(value, 'latin1').toString('utf8') } : {};
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function unsupported(negotiated: Exclude<Negotiated, { outcome: 'agreed' }>, path: string): ApiFault {
  const text = `Version ${negotiated.asked} was requested but is not supported. Supported are 1.${MINOR_MIN} to 1.${MINOR_MAX}.`;
  return new ApiFault(406, text, path === '/' || path === '' ? 'resource' : 'router');
}

/** A client that takes no JSON gets plain text inside the string, and no version headers. */
class NotAcceptableAccept extends ApiFault {
  readonly body = JSON.stringify({ error_message: 'This API answers in application/json only.' });

  constructor() {
    super(406, 'This API answers in application/json only.', 'router');
  }
}

function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept.trim() === '' || /\*\/\*|application\/(?:\*|json)/i.test(accept)) return;
  throw new NotAcceptableAccept();
}

/** The contract takes DELETE of a port with a trailing slash for one of the collection (recorded so). */
function checkSlash(method: string, path: string, segments: readonly string[]): void {
  if (method !== 'DELETE' || segments[0] !== 'ports' || segments.length !== 2 || !path.endsWith('/')) return;
  throw new ApiFault(400, 'The port to remove must be named without a trailing slash.');
}

/** Decoded segments below /v1, whose name may be missing; one trailing slash is ignored. */
function segmentsOf(path: string, cutJson: boolean): { segments: string[]; cut: boolean } {
  const plain = path.replace(/^\//, '').replace(/\/$/, '');
  const cut = cutJson && plain.endsWith('.json');
  const segments = (cut ? plain.slice(0, -'.json'.length) : plain).split('/');
  if (segments.includes('')) throw unknownPath();
  return { segments: (segments[0] === 'v1' ? segments.slice(1) : segments).map(decoded), cut };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiFault(400, 'The path is not valid percent-encoding.', 'router');
  }
}
