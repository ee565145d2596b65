import { plainResources, type Command, type PatchOperation } from '@lib/contracts';
import { Refusal, isSealed, secretActFields, secretFieldNames } from '@lib/domain';
import type { Act } from '@lib/domain';
import { TRANSPORT_KEY_ID, type TransportBox } from '@lib/ports';

type Change = (value: unknown) => unknown;

type Names = readonly string[];

const changeFields = (fields: Readonly<Record<string, unknown>>, names: Names, how: Change): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? how(value) : value]));

function changeOperation(operation: PatchOperation, names: Names, how: Change): PatchOperation {
  const [, field = ''] = operation.path.split('/');
  return 'value' in operation && names.includes(field) ? { ...operation, value: how(operation.value) } : operation;
}

/** What comes with a verb and is secret, or may hold secrets. */
const secretArguments: Names = ['configdrive', 'rescue_password', 'clean_steps', 'deploy_steps', 'service_steps'];

function change(command: Command, how: Change): Command {
  switch (command.type) {
    case 'CreateNode':
      return { ...command, fields: changeFields(command.fields, secretFieldNames, how) };
    case 'CreateResource':
      return { ...command, fields: changeFields(command.fields, plainResources[command.kind].secret, how) };
    case 'Provision':
      return { ...command, args: changeFields(command.args, secretArguments, how) };
    case 'Manage':
      return { ...command, act: changeFields(command.act, secretActFields, how) as Act };
    case 'PatchNode':
      return { ...command, patch: command.patch.map((one) => changeOperation(one, secretFieldNames, how)) };
    case 'PatchResource': {
      const { secret } = plainResources[command.kind];
      return { ...command, patch: command.patch.map((one) => changeOperation(one, secret, how)) };
    }
    default:
      return command;
  }
}

/** Nothing to hide in these. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

/** A command as it may travel: the fields that can hold secrets are sealed whole (architecture: the bus sees sealed values only). */
export const sealCommand = (command: Command, box: TransportBox): Command =>
  change(command, (value) => (isEmpty(value) ? value : box.seal(value)));

/** The command as the api was asked it. What does not open was not sealed by one of our services. */
export const openCommand = (command: Command, box: TransportBox): Command =>
  change(command, (value) => {
    if (!isSealed(value) || value.sealed !== TRANSPORT_KEY_ID) return value;
    try {
      return box.open(value);
    } catch {
      throw new Refusal(
        'INVALID_PARAMETER',
        'A sealed field can not be opened: the services do not share one master key.',
      );
    }
  });
