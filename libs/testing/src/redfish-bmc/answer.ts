import { collection, ROOT } from './document';
import type { Document } from './document';
import { patchLight } from './lights';
import { refused } from './messages';
import type { Answer, Asked } from './messages';
import type { BmcMachine } from './machine';
import { actOnMedia, patchMedia } from './media';
import { machineDocuments, serviceDocuments, SESSIONS, sessionDocument } from './resources';
import { isReset, isThere } from './reset';
import type { Transitions } from './reset';
import type { Sessions } from './sessions';

export interface Inside {
  readonly machines: readonly BmcMachine[];
  readonly sessions: Sessions;
  readonly transitions: Transitions;
  /** Told of each change that a client asked for. */
  readonly changed: (machine: BmcMachine) => void;
}

/** What needs no account: the way in. */
export const isPublic = ({ method, path }: Asked): boolean =>
  (method === 'GET' && (path === '/redfish' || path === ROOT)) || (method === 'POST' && path === SESSIONS);

const done: Answer = { status: 204 };

/** What a request comes to, changes included. */
export function answerTo(asked: Asked, inside: Inside): Answer {
  const { method, path } = asked;
  if (inside.sessions.offered && path.startsWith(SESSIONS)) return answerSessions(asked, inside.sessions);
  const documents = serviceDocuments(inside.machines, inside.sessions.offered);
  const service = documents.get(path);
  if (service) return method === 'GET' ? { status: 200, body: service } : refused(405, 'The method is not allowed.');
  const machine = inside.machines.find(({ id }) => places.some((place) => isUnder(path, `${ROOT}/${place}/${id}`)));
  return machine ? answerMachine(asked, machine, inside) : refused(404, `There is no resource ${path}.`);
}

/** Collections that have a member for each machine. */
const places = ['Systems', 'Managers', 'Chassis'];

const isUnder = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`);

function answerSessions({ method, path, body }: Asked, sessions: Sessions): Answer {
  const id = path.slice(SESSIONS.length + 1);
  if (id === '' && method === 'POST') {
    const made = sessions.open(body['UserName'], body['Password']);
    if (!made) return refused(401, 'The account is not known.', 'Base.1.0.NoValidSession');
    return {
      status: 201,
      headers: { 'X-Auth-Token': made.token, Location: `${SESSIONS}/${made.id}` },
      body: sessionDocument(made.id, sessions.account.username),
    };
  }
  if (id === '' && method === 'GET') return { status: 200, body: collection(SESSIONS, 'Session', sessions.ids) };
  if (method === 'DELETE') return sessions.close(id) ? done : refused(404, 'There is no such session.');
  if (method === 'GET' && sessions.ids.includes(id))
    return { status: 200, body: sessionDocument(id, sessions.account.username) };
  return refused(404, 'There is no such session.');
}

function answerMachine(asked: Asked, machine: BmcMachine, inside: Inside): Answer {
  const { method, path, body } = asked;
  const system = `${ROOT}/Systems/${machine.id}`;
  const changes = (answer: Answer): Answer => {
    inside.changed(machine);
    return answer;
  };
  if (method === 'POST') return changes(act(asked, system, machine, inside));
  const document = machineDocuments(machine).get(path);
  if (!document) return refused(404, `There is no resource ${path}.`);
  if (method === 'GET') return { status: 200, body: document };
  if (method !== 'PATCH') return refused(405, 'The method is not allowed.');
  if (path === system) return changes(patchSystem(body, machine));
  if (path === `${system}/SecureBoot`) return changes(patchSecureBoot(body, machine));
  const changed = patchMedia(path, body, machine) ?? patchLight(path, body, document, machine);
  return changed ? changes(changed) : refused(405, 'The resource can not be changed.');
}

function act({ path, body }: Asked, system: string, machine: BmcMachine, { transitions }: Inside): Answer {
  if (path === `${system}/Actions/ComputerSystem.Reset`) {
    const reset = body['ResetType'];
    if (!isReset(reset, machine)) {
      return refused(400, `ResetType ${String(reset)} is not taken.`, 'Base.1.0.ActionParameterNotSupported');
    }
    if (machine.refusesSameState && isThere(reset, machine)) {
      return refused(409, `The system is already powered ${machine.power === 'On' ? 'on' : 'off'}.`);
    }
    transitions.begin(machine, reset);
    return done;
  }
  return actOnMedia(path, body, machine) ?? refused(404, `There is no action ${path}.`);
}

function patchSystem(body: Document, machine: BmcMachine): Answer {
  const { Boot: boot, IndicatorLED: indicator } = body;
  if (typeof indicator === 'string') machine.indicator = indicator;
  if (typeof boot !== 'object' || boot === null) {
    return indicator === undefined ? refused(400, 'Nothing of this can be changed.') : done;
  }
  const { BootSourceOverrideTarget: target = machine.boot.target } = boot as Document;
  const { BootSourceOverrideEnabled: enabled = machine.boot.enabled } = boot as Document;
  const { BootSourceOverrideMode: mode = machine.boot.mode } = boot as Document;
  if (!(machine.bootTargets?.includes(String(target)) ?? true)) {
    return refused(400, `The boot target ${String(target)} is not taken.`, 'Base.1.0.PropertyValueNotInList');
  }
  machine.boot = { target: String(target), enabled: String(enabled), mode: mode === null ? null : String(mode) };
  return done;
}

function patchSecureBoot({ SecureBootEnable: enabled }: Document, machine: BmcMachine): Answer {
  if (typeof enabled !== 'boolean' || !machine.secureBoot) return refused(400, 'SecureBootEnable is true or false.');
  machine.secureBoot = { enabled, current: enabled ? 'Enabled' : 'Disabled' };
  return done;
}
