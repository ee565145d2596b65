import { isDeepStrictEqual } from 'node:util';
import { Connections, requestText, type Received, type RequestForm } from '../http-client';
import { bootMacOf, machineData, type MachineScript } from '../machine-data';
import { percentile } from '../statistics';
import { InspectionEvents, type EndingType } from './inspection-events';

export interface ScriptedMachine {
  readonly uuid: string;
  readonly number: number;
  readonly script: MachineScript;
}

export interface MachinesOrder {
  readonly natsUrl: string;
  readonly prefix: string;
  readonly port: number;
  readonly connections: number;
  readonly inFlight: number;
  readonly machines: readonly ScriptedMachine[];
  readonly seed: number;
  /** Length of the bodies that are posted, at least. */
  readonly bytes: number;
  readonly patienceMs: number;
}

export interface MachinesResult {
  /** Inspections that data ended, for good or bad. */
  readonly completed: number;
  /** From the first request to the last of those endings. */
  readonly seconds: number;
  readonly callbackMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Posts that were sent once more, as a ramdisk does after 409 and 5xx. */
  readonly retries: number;
  /** What went otherwise than the script of its machine says, with how often. */
  readonly failures: Readonly<Record<string, number>>;
}

interface Expected {
  readonly ending: EndingType;
  readonly state: string;
}

const inspectFailed = (ending: EndingType): Expected => ({ ending, state: 'inspect failed' });
const expected: Readonly<Record<MachineScript, Expected>> = {
  succeed: { ending: 'InspectionFinished', state: 'manageable' },
  twice: { ending: 'InspectionFinished', state: 'manageable' },
  never: inspectFailed('InspectionTimedOut'),
  late: inspectFailed('InspectionTimedOut'),
  error: inspectFailed('InspectionFailed'),
  aborted: inspectFailed('InspectionAborted'),
};
const endedByData: readonly MachineScript[] = ['succeed', 'twice', 'error'];

/** A ramdisk's pauses before it posts once more (contract: ramdisk.md §3). */
const RETRY_PAUSES_MS = [5000, 5000, 6000, 12_000];
/** What a ramdisk speaks at most when it looks its node up and gives signs of life (contract: ramdisk.md §4, §5). */
const AGENT: RequestForm = { version: '1.62' };
const MESSAGE = 'a disk of this machine fails';
/** Of so many machines the stored data of one is compared with what it posted. */
const COMPARE_EVERY = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Something that the script of a machine does not have. */
class OffScript extends Error {}

class Run {
  readonly failures: Record<string, number> = {};
  readonly callbackMs: number[] = [];
  retries = 0;
  completed = 0;
  lastAt = 0;

  constructor(
    private readonly order: MachinesOrder,
    private readonly client: Connections,
    private readonly events: InspectionEvents,
  ) {}

  /** One machine from the request for its inspection to the end of its script. */
  async play(machine: ScriptedMachine): Promise<void> {
    try {
      await this.inspected(machine);
    } catch (error) {
      this.failed(`${machine.script}: ${error instanceof OffScript ? error.message : String(error)}`);
    }
  }

  /** After all of them: each has the one ending and the state that its script demands, and its data is stored. */
  async check(machine: ScriptedMachine): Promise<void> {
    const { uuid, script, number } = machine;
    const { ending, state } = expected[script];
    const endings = this.events.endingsOf(uuid).join(', ');
    if (endings !== ending) this.failed(`${script}: ended by ${endings || 'nothing'}`);
    const shown = await this.shown(`/v1/nodes/${uuid}?fields=provision_state,last_error`);
    if (shown['provision_state'] !== state) this.failed(`${script}: state ${String(shown['provision_state'])}`);
    if (script === 'error' && !String(shown['last_error']).includes(MESSAGE)) this.failed(`${script}: another error`);
    if (!endedByData.includes(script) || script === 'error' || number % COMPARE_EVERY !== 0) return;
    const { inventory } = await this.shown(`/v1/nodes/${uuid}/inventory`);
    if (!isDeepStrictEqual(inventory, this.dataOf(machine).inventory)) this.failed(`${script}: other data is stored`);
  }

  private async inspected(machine: ScriptedMachine): Promise<void> {
    const { uuid, script } = machine;
    const told = this.events.of(uuid);
    await this.ask(202, 'inspect', this.provision(uuid, 'inspect'));
    await told.waits.promise;
    if (script !== 'never' && script !== 'late') await this.register(machine);
    if (script === 'aborted') await this.ask(202, 'abort', this.provision(uuid, 'abort'));
    if (endedByData.includes(script)) await this.post(machine, 202);
    if (script === 'twice') await this.post(machine, 404);
    await told.ended.promise;
    if (endedByData.includes(script)) {
      this.completed += 1;
      this.lastAt = performance.now();
    }
    if (script === 'late') await this.post(machine, 404);
  }

  private provision(uuid: string, target: string): string {
    return requestText('PUT', `/v1/nodes/${uuid}/states/provision`, { target });
  }

  private async register({ uuid, number }: ScriptedMachine): Promise<void> {
    const path = `/v1/lookup?addresses=${bootMacOf(number)}`;
    const { body } = await this.ask(200, 'lookup', requestText('GET', path, undefined, AGENT), true);
    const { node, config } = JSON.parse(body ?? '') as { node: { uuid: string }; config: { agent_token: string } };
    if (node.uuid !== uuid) throw new OffScript('another node was found');
    const beat = {
      callback_url: 'https://192.0.2.9:9999',
      agent_token: config.agent_token,
      agent_version: 'simulated',
    };
    await this.ask(202, 'heartbeat', requestText('POST', `/v1/heartbeat/${uuid}`, beat, AGENT));
  }

  private async post(machine: ScriptedMachine, status: number): Promise<void> {
    const data = this.dataOf(machine);
    const body = machine.script === 'error' ? { ...data, error: MESSAGE } : data;
    const text = requestText('POST', '/v1/continue_inspection', body, { version: null });
    for (const pauseMs of [...RETRY_PAUSES_MS, null]) {
      const received = await this.client.send(text);
      if (received.status === status) {
        if (status === 202) this.callbackMs.push(received.ms);
        return;
      }
      if (pauseMs === null || (received.status !== 409 && received.status < 500))
        throw new OffScript(`its post was answered ${received.status}`);
      this.retries += 1;
      await pause(pauseMs);
    }
  }

  private dataOf({ number }: ScriptedMachine) {
    const { seed, bytes } = this.order;
    return machineData({ seed, number, bytes });
  }

  private async ask(status: number, what: string, text: string, keepBody = false): Promise<Received> {
    const received = await this.client.send(text, keepBody);
    if (received.status !== status) throw new OffScript(`${what} was answered ${received.status}`);
    return received;
  }

  private async shown(path: string): Promise<Readonly<Record<string, unknown>>> {
    const { body } = await this.client.send(requestText('GET', path), true);
    return JSON.parse(body ?? '{}') as Record<string, unknown>;
  }

  private failed(what: string): void {
    this.failures[what] = (this.failures[what] ?? 0) + 1;
  }
}

/** All machines, each after its script, so many at once; then what became of each. */
export async function driveMachines(order: MachinesOrder): Promise<MachinesResult> {
  const { natsUrl, prefix, port, connections, inFlight, machines, patienceMs } = order;
  const client = new Connections(port, connections);
  const events = await InspectionEvents.open(natsUrl, prefix);
  const run = new Run(order, client, events);
  try {
    const startedAt = performance.now();
    const patience = AbortSignal.timeout(patienceMs);
    const over = new Promise<void>((resolve) => patience.addEventListener('abort', () => resolve()));
    await Promise.race([inTurn(machines, inFlight, (machine) => run.play(machine)), over]);
    await inTurn(machines, connections, (machine) => run.check(machine));
    return {
      completed: run.completed,
      seconds: (run.lastAt - startedAt) / 1000,
      callbackMs: {
        p50: percentile(run.callbackMs, 0.5),
        p99: percentile(run.callbackMs, 0.99),
        max: percentile(run.callbackMs, 1),
      },
      retries: run.retries,
      failures: run.failures,
    };
  } finally {
    client.close();
    await events.close();
  }
}

async function inTurn<T>(all: readonly T[], atOnce: number, job: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  const one = async (): Promise<void> => {
    for (const next of waiting) await job(next);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
