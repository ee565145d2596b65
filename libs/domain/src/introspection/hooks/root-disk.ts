import { isObject, type JsonObject, listAt, numberAt, objectAt } from '../json';
import { invalid } from '../refusal';

export const GIB = 1024 ** 3;

const numberOf = (value: unknown): number | null => numberAt({ value }, 'value');

const numeric: Record<string, (have: number, want: number) => boolean> = {
  '==': (have, want) => have === want,
  '=': (have, want) => have >= want,
  '!=': (have, want) => have !== want,
  '<': (have, want) => have < want,
  '<=': (have, want) => have <= want,
  '>': (have, want) => have > want,
  '>=': (have, want) => have >= want,
};

const text: Record<string, (have: string, want: string) => boolean> = {
  's==': (have, want) => have === want,
  's!=': (have, want) => have !== want,
  's<': (have, want) => have < want,
  's<=': (have, want) => have <= want,
  's>': (have, want) => have > want,
  's>=': (have, want) => have >= want,
  '<in>': (have, want) => have.includes(want),
};

/** One hint against one disk's value: a plain value, or `<operator> <operand>`, or `<or> a <or> b`. Text ignores case. */
export const hintFits = (have: unknown, hint: unknown): boolean => {
  const plain = String(have).trim().toLowerCase();
  const wanted = String(hint).trim().toLowerCase();
  if (wanted.startsWith('<or>'))
    return wanted
      .split('<or>')
      .slice(1)
      .some((option) => option.trim() === plain);
  const [operator = '', ...rest] = wanted.split(/\s+/);
  const operand = rest.join(' ');
  const compareText = text[operator];
  if (compareText && operand) return compareText(plain, operand);
  const compareNumber = numeric[operator];
  if (!compareNumber || !operand) return plain === wanted;
  const [left, right] = [numberOf(have), numberOf(operand)];
  return left !== null && right !== null && compareNumber(left, right);
};

const valueOf = (disk: JsonObject, key: string): unknown =>
  key === 'size' ? Math.floor((numberAt(disk, 'size') ?? 0) / GIB) : disk[key];

/**
 * The disk the node is to boot from: the one its `root_device` hints name (size in GiB), else the ramdisk's own choice.
 * @throws InspectorRefusal INVALID when hints are given and no disk fits.
 */
export const rootDisk = (data: JsonObject, properties: Readonly<JsonObject>): JsonObject | null => {
  const hints = properties['root_device'];
  if (!isObject(hints) || Object.keys(hints).length === 0) {
    return isObject(data['root_disk']) ? data['root_disk'] : null;
  }
  const disks = listAt(objectAt(data, 'inventory'), 'disks').filter(isObject);
  const fitting = disks.find((disk) =>
    Object.entries(hints).every(([key, hint]) => valueOf(disk, key) != null && hintFits(valueOf(disk, key), hint)),
  );
  if (!fitting) throw invalid(`root_disk_selection: no disk satisfies the root device hints ${JSON.stringify(hints)}`);
  return fitting;
};
