import { collection, resource, ROOT } from './document';
import type { Document } from './document';
import type { BmcMachine } from './machine';
import type { Answer } from './messages';

const mediaTypesOf: Readonly<Record<string, readonly string[]>> = {
  Cd: ['CD', 'DVD'],
  Usb: ['USBStick'],
  Floppy: ['Floppy'],
};

export const mediaPath = ({ id, mediaOf }: BmcMachine): string =>
  `${ROOT}/${mediaOf === 'manager' ? 'Managers' : 'Systems'}/${id}/VirtualMedia`;

/** The virtual devices of a machine, with what is in there. */
export function mediaDocuments(machine: BmcMachine): [string, Document][] {
  const { media, mediaBy } = machine;
  const under = mediaPath(machine);
  const actionsOf = (path: string): Document => ({
    Actions: {
      '#VirtualMedia.InsertMedia': { target: `${path}/Actions/VirtualMedia.InsertMedia` },
      '#VirtualMedia.EjectMedia': { target: `${path}/Actions/VirtualMedia.EjectMedia` },
    },
  });
  return [
    [under, collection(under, 'VirtualMedia', Object.keys(media))],
    ...Object.entries(media).map(([device, image]): [string, Document] => {
      const path = `${under}/${device}`;
      const fields = {
        MediaTypes: mediaTypesOf[device] ?? [],
        Image: image,
        Inserted: image !== null,
        WriteProtected: true,
        ...(mediaBy === 'patch' ? {} : actionsOf(path)),
      };
      return [path, resource(path, 'VirtualMedia.v1_3_0.VirtualMedia', fields)];
    }),
  ];
}

const done: Answer = { status: 204 };

const problem = (said: string, id: string): Answer => ({
  status: 400,
  body: {
    error: {
      code: `Base.1.8.${id}`,
      message: 'The request is not as it should be.',
      '@Message.ExtendedInfo': [{ MessageId: `Base.1.8.${id}`, Message: said }],
    },
  },
});

/** Null: it is no action of a virtual device. */
export function actOnMedia(path: string, body: Document, machine: BmcMachine): Answer | null {
  const under = mediaPath(machine);
  const [device = '', action = ''] = path.startsWith(`${under}/`) ? path.slice(under.length + 1).split('/') : [];
  if (!Object.hasOwn(machine.media, device) || machine.mediaBy === 'patch' || action !== 'Actions') return null;
  if (path.endsWith('/VirtualMedia.EjectMedia')) {
    machine.media[device] = null;
    return done;
  }
  if (!path.endsWith('/VirtualMedia.InsertMedia')) return null;
  if (machine.mediaBy === 'action with protocol' && body['TransferProtocolType'] === undefined)
    return problem('TransferProtocolType is missing.', 'ActionParameterMissing');
  return put(device, body, machine);
}

/** Null: it is no virtual device that is changed like this. */
export function patchMedia(path: string, body: Document, machine: BmcMachine): Answer | null {
  const device = path.slice(path.lastIndexOf('/') + 1);
  const isOne = path === `${mediaPath(machine)}/${device}` && Object.hasOwn(machine.media, device);
  return isOne && machine.mediaBy === 'patch' ? put(device, body, machine) : null;
}

/** A device holds one image: it has to be taken out before another is put in. */
function put(device: string, body: Document, machine: BmcMachine): Answer {
  const { Image: image = null, UserName: username, Password: password } = body;
  if (image !== null && typeof image !== 'string') return problem('Image is no address.', 'PropertyValueTypeError');
  if (image === null && body['Inserted'] !== false) return problem('Image is missing.', 'ActionParameterMissing');
  if (image !== null && machine.media[device]) return problem('There is an image already.', 'ResourceInUse');
  machine.media[device] = image;
  machine.mediaAccount =
    image === null || typeof username !== 'string' ? null : { username, password: String(password) };
  return done;
}
