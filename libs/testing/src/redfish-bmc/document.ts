export type Document = Readonly<Record<string, unknown>>;

export const ROOT = '/redfish/v1';

export const link = (path: string) => ({ '@odata.id': path });

export const resource = (path: string, type: string, fields: Document): Document => ({
  '@odata.id': path,
  '@odata.type': `#${type}`,
  Id: path.slice(path.lastIndexOf('/') + 1),
  Name: type.split('.')[0],
  ...fields,
});

export const collection = (path: string, type: string, members: readonly string[]): Document => ({
  '@odata.id': path,
  '@odata.type': `#${type}Collection.${type}Collection`,
  Name: `${type} Collection`,
  Members: members.map((member) => link(`${path}/${member}`)),
  'Members@odata.count': members.length,
});

export const numbered = (list: readonly unknown[]): string[] => list.map((_, index) => String(index + 1));
export const enabled = { State: 'Enabled', Health: 'OK' };

/** Without those that are not there. */
export const told = (fields: Readonly<Record<string, unknown>>): Document =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
