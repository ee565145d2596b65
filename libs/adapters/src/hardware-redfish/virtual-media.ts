import { urlWithoutCredentials } from '@lib/domain';
import type { JsonObject, MediaType } from '@lib/domain';
import { BmcRefused, HardwareError } from './hardware-error';
import { Reader } from './reader';
import type { SystemCall } from './system';
import { objectIn, pathIn, textIn } from './wire';

/** Types of device by the API's names, and the media that Redfish says such a device takes (contract: node-api.md §21). */
const mediaOf: Readonly<Record<MediaType, readonly string[]>> = {
  cdrom: ['CD', 'DVD'],
  disk: ['USBStick'],
  floppy: ['Floppy'],
};

/** One virtual device. */
interface Device {
  readonly path: string;
  readonly document: JsonObject;
}

const mediaTypesIn = ({ document }: Device): readonly string[] => {
  const { MediaTypes: types } = document;
  return Array.isArray(types) ? types.filter((type) => typeof type === 'string') : [];
};

const takes = (device: Device, type: MediaType): boolean =>
  mediaTypesIn(device).some((one) => mediaOf[type].includes(one));

const imageIn = ({ document }: Device): string | null => textIn(document, 'Image');

const isLoaded = (device: Device): boolean => device.document['Inserted'] === true || imageIn(device) !== null;

/** Those of the system itself, which newer BMCs have, else those of its managers. */
async function devicesOf({ system, bmc, turn }: SystemCall): Promise<readonly Device[]> {
  const reader = new Reader(bmc, turn);
  const found = [...((await reader.members(system.document['VirtualMedia'])) ?? [])];
  if (found.length === 0) {
    for (const manager of await reader.each(objectIn(system.document, 'Links')['ManagedBy']))
      found.push(...((await reader.members(manager['VirtualMedia'])) ?? []));
  }
  return found.flatMap((document) => {
    const path = pathIn(document);
    return path === null ? [] : [{ path, document }];
  });
}

/** What is in each device; credentials in addresses are nobody's business. */
export async function mediaShown(call: SystemCall): Promise<readonly JsonObject[]> {
  return (await devicesOf(call)).map((device) => {
    const image = imageIn(device);
    return {
      media_types: mediaTypesIn(device),
      inserted: isLoaded(device),
      image: image === null ? null : urlWithoutCredentials(image),
    };
  });
}

/**
 * Puts an image into the first device that takes one of these types, the first type for choice; what was in there goes.
 * @param except path of a device that is not to be taken
 * @returns the path of the device
 */
export async function insertMedia(
  types: readonly MediaType[],
  imageUrl: string,
  call: SystemCall,
  except: string | null = null,
): Promise<string> {
  const devices = (await devicesOf(call)).filter(({ path }) => path !== except);
  const [device] = types.flatMap((type) => devices.filter((one) => takes(one, type)));
  if (!device) {
    throw new HardwareError(`The system ${call.system.path} has no virtual device for ${types.join(' or ')}.`);
  }
  const wanted = insertion(imageUrl);
  // Said again by a conductor whose predecessor died, or by a client that did not hear the answer.
  if (isLoaded(device) && imageIn(device) === wanted['Image']) return device.path;
  if (isLoaded(device)) await eject(device, call);
  try {
    await insert(device, wanted, call);
  } catch (error) {
    // It may have been said twice, where the answer to the first one was lost: what counts is what is in there.
    if (!(error instanceof BmcRefused) || !(await holds(device, wanted, call))) throw error;
  }
  return device.path;
}

async function holds({ path }: Device, wanted: JsonObject, { bmc, turn }: SystemCall): Promise<boolean> {
  const now = { path, document: (await bmc.get(path, turn)).document };
  return isLoaded(now) && imageIn(now) === wanted['Image'];
}

/** Empties devices of these types; all devices where none is named. */
export async function ejectMedia(types: readonly MediaType[], call: SystemCall): Promise<void> {
  const isMeant = (device: Device) => types.length === 0 || types.some((type) => takes(device, type));
  for (const device of await devicesOf(call)) if (isMeant(device) && isLoaded(device)) await eject(device, call);
}

/** Addresses of all images that are in. */
export const mediaImages = async (call: SystemCall): Promise<readonly string[]> =>
  (await devicesOf(call)).flatMap((device) => imageIn(device) ?? []);

/** Empties the devices that these images are in. */
export async function ejectImages(imageUrls: readonly string[], call: SystemCall): Promise<void> {
  const images = imageUrls.map((url) => insertion(url)['Image']);
  for (const device of await devicesOf(call)) if (images.includes(imageIn(device))) await eject(device, call);
}

/** A BMC shows the address of an image to whoever may look; the account is told apart from it. */
function insertion(imageUrl: string): JsonObject {
  const url = URL.canParse(imageUrl) ? new URL(imageUrl) : null;
  if (url === null || (url.username === '' && url.password === '')) return { Image: imageUrl };
  const [UserName, Password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return { Image: urlWithoutCredentials(imageUrl), UserName, Password };
}

const actionOf = ({ document }: Device, name: string): string | null => {
  const target = textIn(objectIn(objectIn(document, 'Actions'), `#VirtualMedia.${name}`), 'target');
  return target !== null && URL.canParse(target) ? new URL(target).pathname : target;
};

async function insert(device: Device, wanted: JsonObject, { bmc, turn }: SystemCall): Promise<void> {
  const action = actionOf(device, 'InsertMedia');
  if (action === null) {
    await change(device, { ...wanted, Inserted: true, WriteProtected: true }, { bmc, turn });
    return;
  }
  try {
    await bmc.postUntilDone(action, wanted, turn);
  } catch (error) {
    if (!wantsProtocol(error)) throw error;
    const [scheme = ''] = String(wanted['Image']).split(':');
    await bmc.postUntilDone(action, { ...wanted, TransferProtocolType: scheme.toUpperCase() }, turn);
  }
}

/** Not every BMC reads it from the address. */
const wantsProtocol = (error: unknown): boolean =>
  error instanceof BmcRefused &&
  error.status === 400 &&
  (error.said.includes('TransferProtocolType') ||
    error.messageIds.some((id) => id.endsWith('.ActionParameterMissing')));

async function eject(device: Device, { bmc, turn }: SystemCall): Promise<void> {
  const action = actionOf(device, 'EjectMedia');
  if (action === null) await change(device, { Image: null, Inserted: false }, { bmc, turn });
  else await bmc.postUntilDone(action, {}, turn);
}

/** Some BMCs have no actions: there the device itself is changed. */
async function change({ path }: Device, body: JsonObject, { bmc, turn }: Omit<SystemCall, 'system'>): Promise<void> {
  const { etag } = await bmc.get(path, turn);
  await bmc.patch(path, body, turn, etag);
}
