import { kernelParameterProblem } from '@lib/domain';
import type { JsonObject } from '@lib/domain';

/** Where a loader finds an image, in its own words; or what is wrong; or that none is named. */
export type ImageFound = { readonly location: string } | { readonly missing: string } | { readonly problem: string };

/** How one kind of loader names images. */
export interface ImageNames {
  /** Folder that the loader's server serves; files in it may be named by `file://`. */
  readonly root: string;
  /** What stands before a path in that folder; null where files of the folder cannot be named. */
  readonly base: string | null;
  /** Why `base` is null, for the operator. */
  readonly noBase: string;
}

const REMOTE = /^(https?|tftp):\/\/[^\s/]+\/\S+$/i;

/** The path below the root, null when it lies elsewhere. No step upwards is followed. */
function below(root: string, path: string): string | null {
  const parts = path.split('/');
  if (!path.startsWith(`${root}/`) || parts.includes('..') || parts.includes('.')) return null;
  return path.slice(root.length + 1);
}

/** `driver_info.<key>`, else the setting (contract: inspection.md §4.1: missing means unsupported). */
export function imageOf(key: string, driverInfo: JsonObject, fallback: string | null, names: ImageNames): ImageFound {
  const own = driverInfo[key];
  const given = own === undefined || own === null || own === '' ? fallback : own;
  if (given === null) return { missing: `neither driver_info.${key} nor [conductor] ${key} is set` };
  if (typeof given !== 'string') return { problem: `${key} is not a text` };
  const odd = kernelParameterProblem(given);
  if (odd !== null) return { problem: `${key} cannot stand in a boot configuration file: ${odd}` };
  if (REMOTE.test(given)) return { location: given };
  if (!given.startsWith('file:///')) return { problem: `${key} is neither an http, https, tftp nor file address` };
  const path = below(names.root, given.slice('file://'.length));
  if (path === null || path === '') return { problem: `${key} names a file outside of ${names.root}` };
  return names.base === null
    ? { problem: `${key} is a file, but ${names.noBase}` }
    : { location: `${names.base}${path}` };
}
