import { HardwareError } from '../hardware-error';

/**
 * A floppy of 1.44 MB (FAT12) with one file, `parameters.txt`: what a ramdisk that was booted from an image of its own is told
 * besides, one `name=value` a line. Ramdisks look for it by the label.
 */
const LABEL = 'ir-vfd-dev ';
const SECTOR = 512;
const SECTORS = 2880;
const FAT_SECTORS = 9;
const ROOT_ENTRIES = 224;
const ENTRY = 32;
const FATS_AT = SECTOR;
const ROOT_AT = FATS_AT + 2 * FAT_SECTORS * SECTOR;
const DATA_AT = ROOT_AT + ROOT_ENTRIES * ENTRY;
/** Clusters are sectors here, and the first one is number 2. */
const FIRST_CLUSTER = 2;
const LAST_OF_FILE = 0xfff;
export const PARAMETERS_BYTES_MAX = 64 * 1024;

const LONG_NAME = 'parameters.txt';
const SHORT_NAME = 'PARAME~1TXT';
/** Characters of a long name that one entry holds, and where in it. */
const LONG_AT = [1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30];
const LONG_PLACES = LONG_AT.length;

/** @throws HardwareError when it is more than fits */
export function parametersImage(parameters: readonly string[]): Uint8Array {
  const text = Buffer.from(parameters.map((one) => `${one}\n`).join(''), 'utf8');
  if (text.length > PARAMETERS_BYTES_MAX)
    throw new HardwareError(`${text.length} bytes of kernel parameters are too many`);
  const image = Buffer.alloc(SECTORS * SECTOR);
  writeBootSector(image);
  for (const copy of [0, 1]) writeChain(image, FATS_AT + copy * FAT_SECTORS * SECTOR, Math.ceil(text.length / SECTOR));
  writeDirectory(image, text.length);
  text.copy(image, DATA_AT);
  return image;
}

function writeBootSector(image: Buffer): void {
  image.set([0xeb, 0x3c, 0x90], 0);
  image.write('MSDOS5.0', 3, 'latin1');
  image.writeUInt16LE(SECTOR, 11);
  image.writeUInt8(1, 13); // sectors of a cluster
  image.writeUInt16LE(1, 14); // sectors before the tables
  image.writeUInt8(2, 16); // tables
  image.writeUInt16LE(ROOT_ENTRIES, 17);
  image.writeUInt16LE(SECTORS, 19);
  image.writeUInt8(0xf0, 21); // a removable medium
  image.writeUInt16LE(FAT_SECTORS, 22);
  image.writeUInt16LE(18, 24); // sectors of a track
  image.writeUInt16LE(2, 26); // heads
  image.writeUInt8(0x29, 38); // what follows is there
  image.writeUInt32LE(0x20261201, 39); // serial number
  image.write(LABEL, 43, 'latin1');
  image.write('FAT12   ', 54, 'latin1');
  image.set([0x55, 0xaa], 510);
}

/** Twelve bits for each cluster: the number of the next one. */
function writeChain(image: Buffer, at: number, clusters: number): void {
  const next = (cluster: number): number => (cluster === FIRST_CLUSTER + clusters - 1 ? LAST_OF_FILE : cluster + 1);
  const entries = Array.from({ length: clusters }, (_, index) => next(FIRST_CLUSTER + index));
  for (const [cluster, value] of [0xff0, LAST_OF_FILE, ...entries].entries()) {
    const byte = at + Math.floor(cluster * 1.5);
    const both = image.readUInt16LE(byte);
    image.writeUInt16LE(cluster % 2 === 0 ? (both & 0xf000) | value : (both & 0x000f) | (value << 4), byte);
  }
}

function writeDirectory(image: Buffer, length: number): void {
  image.write(LABEL, ROOT_AT, 'latin1');
  image.writeUInt8(0x08, ROOT_AT + 11);
  const entries = Math.ceil((LONG_NAME.length + 1) / LONG_PLACES);
  for (let part = entries; part > 0; part -= 1)
    writeLongName(image, ROOT_AT + (entries - part + 1) * ENTRY, part, entries);
  const at = ROOT_AT + (entries + 1) * ENTRY;
  image.write(SHORT_NAME, at, 'latin1');
  image.writeUInt8(0x01, at + 11); // to be read only
  image.writeUInt16LE(length === 0 ? 0 : FIRST_CLUSTER, at + 26);
  image.writeUInt32LE(length, at + 28);
}

/** Parts of a long name stand before the short one, the last part first. */
function writeLongName(image: Buffer, at: number, part: number, of: number): void {
  image.writeUInt8(part === of ? part | 0x40 : part, at);
  image.writeUInt8(0x0f, at + 11);
  image.writeUInt8(checksum(), at + 13);
  for (const [index, place] of LONG_AT.entries()) {
    const position = (part - 1) * LONG_PLACES + index;
    const end = position === LONG_NAME.length ? 0 : 0xffff;
    image.writeUInt16LE(position < LONG_NAME.length ? LONG_NAME.charCodeAt(position) : end, at + place);
  }
}

/** Of the short name that a long one belongs to. */
const checksum = (): number =>
  [...SHORT_NAME].reduce((sum, character) => (((sum & 1) << 7) + (sum >> 1) + character.charCodeAt(0)) & 0xff, 0);
