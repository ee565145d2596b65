import type { NodeFields, WorkStep } from '@lib/domain';
import type { HardwareRegistry, TakeStep } from '@lib/ports';

/** Interfaces whose steps are theirs; all other steps are the deploy interface's, whatever they are called. */
function ownerOf(kind: string, fields: NodeFields, hardware: HardwareRegistry) {
  const { bios_interface: bios, firmware_interface: firmware, raid_interface: raid } = fields;
  switch (kind) {
    case 'bios':
      return { name: bios, one: hardware.parts('bios', bios) };
    case 'firmware':
      return { name: firmware, one: hardware.parts('firmware', firmware) };
    case 'raid':
      return { name: raid, one: hardware.raid(raid) };
    default:
      return null;
  }
}

/** Who takes a step, where it is not the interface that does the work. Throws where that one knows no steps. */
export function stepTaker(
  { interface: kind }: WorkStep,
  fields: NodeFields,
  hardware: HardwareRegistry,
): TakeStep | null {
  const owner = ownerOf(kind, fields, hardware);
  if (!owner) return null;
  const { name, one } = owner;
  if (!one?.takeStep) throw new Error(`the ${kind} interface ${name} has no steps`);
  return one.takeStep.bind(one);
}
