import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAccelerators, loadBuiltInRules } from '.';

describe('the file of built-in rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-rules-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (text: string): string => {
    const path = join(folder, 'rules.yaml');
    writeFileSync(path, text);
    return path;
  };
  const failure = (path: string): string => {
    try {
      loadBuiltInRules(path);
      return 'it was fine';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('is none when the option is unset', () => {
    expect(loadBuiltInRules(null)).toEqual([]);
  });

  it.each([
    [
      'YAML',
      `# comments are fine
- uuid: minimum
  description: enough memory
  priority: -5
  conditions:
    - op: lt
      args: {values: ["{inventory[memory][physical_mb]}", 4096], force_strings: true}
  actions:
    - {op: fail, args: {msg: too small}}
`,
    ],
    [
      'JSON',
      JSON.stringify([
        {
          uuid: 'minimum',
          description: 'enough memory',
          priority: -5,
          conditions: [{ op: 'lt', args: { values: ['{inventory[memory][physical_mb]}', 4096], force_strings: true } }],
          actions: [{ op: 'fail', args: { msg: 'too small' } }],
        },
      ]),
    ],
  ])('is read as %s', (_, text) => {
    expect(loadBuiltInRules(file(text))).toEqual([
      {
        name: 'inspection rule minimum (enough memory)',
        priority: -5,
        sensitive: false,
        conditions: [{ op: 'lt', args: { values: ['{inventory[memory][physical_mb]}', 4096], force_strings: true } }],
        actions: [{ op: 'fail', args: { msg: 'too small' } }],
      },
    ]);
  });

  it.each([
    ['- {op: [', 'can not be read'],
    ['- actions: []', 'rule 1: Schema error for actions: at least one action is needed'],
    ['a: &a [1]\nb: [*a, *a]', 'can not be read'],
    ['{}', 'it holds no list of rules'],
  ])('%j stops the start, with the option and the file named (RUL-04)', (text, problem) => {
    const path = file(text);
    expect(failure(path)).toContain(`[inspection_rules] built_in_rules: ${path}`);
    expect(failure(path)).toContain(problem);
  });

  it('that is not there stops the start', () => {
    expect(failure('/nowhere/rules.yaml')).toContain('ENOENT');
  });
});

describe('the file of accelerators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-rules-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'accelerators.yaml');
  const loaded = (text: string) => {
    writeFileSync(path, text);
    return loadAccelerators(path);
  };

  it('is none when the option is unset', () => {
    expect(loadAccelerators(null)).toBeUndefined();
  });

  it('names devices', () => {
    const text = "pci_devices:\n- {vendor_id: '1', device_id: '2', type: FPGA, device_info: One}\n";
    expect(loaded(text)).toEqual([{ vendorId: '1', deviceId: '2', type: 'FPGA', info: 'One' }]);
  });

  it.each([
    ['[]', 'no list pci_devices'],
    ["pci_devices: [{vendor_id: '1'}]", 'device 1 needs'],
  ])('%j stops the start', (text, problem) => {
    expect(() => loaded(text)).toThrow(problem);
  });
});
