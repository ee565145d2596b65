import type { Answer } from '../stack';
import { canonical, dig, drop } from './dig';
import type { Step } from './scenario';
import type { Target } from './target';

/** An answer with everything that differs from run to run put behind placeholders. */
export interface Normalised {
  status: number;
  headers?: Record<string, string | boolean>;
  body?: unknown;
  text?: string;
}

export type Variables = ReadonlyMap<string, unknown>;

const IRONIC = 'x-openstack-ironic-api';
const INSPECTOR = 'x-openstack-ironic-inspector-api';
/** Not `etag`: ours come with every single resource, which no recorded server has and no client minds. */
const KEPT_HEADERS = [
  ...['content-type', 'location', 'vary'],
  ...[`${IRONIC}-version`, `${IRONIC}-minimum-version`, `${IRONIC}-maximum-version`],
  ...['openstack-api-version', 'openstack-api-minimum-version', 'openstack-api-maximum-version'],
  ...[`${INSPECTOR}-version`, `${INSPECTOR}-minimum-version`, `${INSPECTOR}-maximum-version`],
  ...['www-authenticate', 'allow', 'retry-after'],
];
const MAX_HEADERS = new Set([`${IRONIC}-maximum-version`, 'openstack-api-maximum-version']);
const HOST_KEYS = new Set(['conductor', 'reservation', 'hostname']);
const VERSION_KEYS = new Set(['version', 'faultstring', 'description']);

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const UUIDS = new RegExp(UUID, 'g');
const REQUEST_IDS = new RegExp(`req-${UUID}`, 'g');
const REQUEST_ID = new RegExp(`^req-${UUID}`);
const STAMPS = /\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/g;
const STATE_SETS = /\((?:'[a-z ]+'(?:, )?)+\)/g;
const ATTRIBUTE_SETS = /(?<=attributes \()[a-z_]+(?:, [a-z_]+)+(?=\))/g;
const STATE_LISTS = /(?<= is in a )[a-z ]+(?:, [a-z ]+)+(?= state)/g;
const ADDRESSES = /\b0x[0-9a-f]{6,}/g;
const ROW_IDS = /record for node \d+ could/g;

const escape = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const sortedList = (text: string): string => text.split(', ').sort().join(', ');
const sortedSet = (text: string): string =>
  `(${[...text.matchAll(/'[a-z ]+'/g)]
    .map(([s]) => s)
    .sort()
    .join(', ')})`;

export class Normaliser {
  constructor(
    private readonly target: Target,
    private readonly variables: Variables,
  ) {}

  answer(answer: Answer, step: Step): Normalised {
    if (step.compare === 'status') return { status: answer.status };
    const out: Normalised = { status: answer.status, headers: this.headers(answer.headers, asksLatest(step)) };
    if (answer.json !== undefined) out.body = this.body(answer.json, step);
    else if (answer.text !== '') out.text = this.text(answer.text);
    for (const path of step.ignore ?? []) drop(out, path);
    return out;
  }

  private body(json: unknown, step: Step): unknown {
    const body = this.value(step.only_known === undefined ? json : this.onlyKnown(json, step.only_known));
    for (const path of step.unordered ?? []) {
      const found = path === '' ? body : dig(body, path);
      if (Array.isArray(found)) found.sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
    }
    return body;
  }

  /** The entries of a list whose uuid an earlier step saved; the recordings show an absent list as an empty one. */
  private onlyKnown(json: unknown, key: string): unknown {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
    const known = new Set(this.variables.values());
    const entries = dig(json, key);
    const kept = (Array.isArray(entries) ? entries : []).filter((entry) => known.has(dig(entry, 'uuid')));
    return { ...json, [key]: kept };
  }

  private headers(all: Answer['headers'], latest: boolean): Record<string, string | boolean> {
    const out: Record<string, string | boolean> = {};
    for (const name of KEPT_HEADERS) {
      const value = all[name];
      if (value !== undefined) out[name] = this.header(name, value, latest);
    }
    out['openstack-request-id'] = REQUEST_ID.test(all['openstack-request-id'] ?? '');
    return out;
  }

  private header(name: string, value: string, latest: boolean): string {
    if (MAX_HEADERS.has(name) || (latest && name.endsWith('api-version'))) {
      return this.target.maxVersion === null ? value : value.replace(this.target.maxVersion, '<max>');
    }
    if (name === 'allow')
      return sortedList(
        value
          .split(',')
          .map((method) => method.trim())
          .join(', '),
      );
    return this.text(value);
  }

  private value(value: unknown, key?: string): unknown {
    if (Array.isArray(value)) {
      // The reference keeps these as sets: no order to compare.
      if (key !== undefined && /^enabled_.*_interfaces$/.test(key)) return [...value].sort();
      return value.map((item) => this.value(item, key === 'hosts' ? 'conductor' : undefined));
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [this.text(name), this.value(inner, name)]),
      );
    }
    if (typeof value !== 'string') return value;
    if (key === 'error_message' && value.startsWith('{')) {
      try {
        return { $json: this.value(JSON.parse(value)) };
      } catch {
        return this.text(value, key);
      }
    }
    return this.text(value, key);
  }

  private text(original: string, key?: string): string {
    if (key === 'agent_token' && /[^*]/.test(original)) return '<token>';
    const text = this.identities(original)
      .replace(REQUEST_IDS, '<request-id>')
      .replace(
        STAMPS,
        (_all, separator: string, zone?: string) => `<time${separator === 'T' ? 'T' : ' '}${zone ?? ''}>`,
      )
      .replace(UUIDS, '<uuid>')
      .replace(STATE_SETS, sortedSet)
      .replace(ATTRIBUTE_SETS, sortedList)
      .replace(STATE_LISTS, sortedList)
      .replace(ADDRESSES, '<address>')
      .replace(ROW_IDS, 'record for node <id> could');
    return this.newestVersion(this.host(text, key), key);
  }

  private identities(original: string): string {
    let text = original;
    for (const [name, value] of this.variables) {
      if (typeof value === 'string' && value.length > 8) text = text.replaceAll(value, `\${${name}}`);
    }
    for (const [service, url] of Object.entries(this.target.urls)) {
      // Error texts sometimes quote an address without its scheme.
      text = text.replaceAll(url, `<${service}>`).replaceAll(new URL(url).host, `<${service}-host>`);
    }
    return text;
  }

  private host(text: string, key?: string): string {
    const { conductor } = this.target;
    if (conductor === null || conductor === '') return text;
    if (key !== undefined && HOST_KEYS.has(key) && text === conductor) return '<conductor>';
    const named = new RegExp(`\\b(host|hostname|conductor|Conductor) "?${escape(conductor)}\\b"?`, 'g');
    return text.replace(named, '$1 <conductor>');
  }

  private newestVersion(text: string, key?: string): string {
    const { maxVersion } = this.target;
    if (maxVersion === null || key === undefined || !VERSION_KEYS.has(key)) return text;
    return text.replace(new RegExp(`(?<![\\d.])${escape(maxVersion)}(?![\\d.])`, 'g'), '<max>');
  }
}

const asksLatest = (step: Step): boolean =>
  Object.values(step.request.headers ?? {}).some((value) => value.trim().toLowerCase().endsWith('latest'));
