import { Refusal, deploySteps, stepsInOrder } from '@lib/domain';
import type { Node, Work, WorkStep } from '@lib/domain';
import { opened } from '../machine';
import { documentsWith, loadResource } from '../plain-resources';
import type { HandlerDeps } from './deps';

type Arguments = Readonly<Record<string, unknown>>;

/** What a verb's work is to consist of, in the clear. */
interface WorkSteps {
  readonly steps?: readonly WorkStep[];
  readonly ramdisk?: false;
}

type Deps = Pick<HandlerDeps, 'box' | 'hardware' | 'reader' | 'readModel'>;

const stepsIn = (value: unknown): readonly WorkStep[] => (Array.isArray(value) ? (value as WorkStep[]) : []);

/**
 * The steps of the work that a verb starts: those that came with it, or those of the runbook that it names; of a deployment
 * also what the deploy templates of the instance's traits and the interface itself bring along (contract: node-api.md §10
 * step 7; other-resources.md §11, §12). Automated cleaning consists of the interface's own.
 */
export async function workSteps(work: Work, args: Arguments, node: Node, deps: Deps): Promise<WorkSteps> {
  if (typeof args['runbook'] === 'string') return runbookSteps(args['runbook'], deps);
  const ramdisk = args['disable_ramdisk'] === true ? { ramdisk: false as const } : {};
  const ownSteps = () => deps.hardware.lifecycle('deploy', node.fields.deploy_interface).ownSteps(work.work);
  if (work.work === 'clean') return { steps: deploySteps(ownSteps()) };
  if (work.work !== 'deploy') {
    return { steps: stepsInOrder([...stepsIn(args['clean_steps']), ...stepsIn(args['service_steps'])]), ...ramdisk };
  }
  const asked = stepsIn(args['deploy_steps']);
  return { steps: deploySteps(asked, await templateSteps(node, deps), ownSteps()), ...ramdisk };
}

async function runbookSteps(uuid: string, { reader, box }: Deps): Promise<WorkSteps> {
  const { resource } = await loadResource('runbook', uuid, reader);
  if (!resource) throw new Refusal('RESOURCE_NOT_FOUND', `Runbook ${uuid} could not be found.`);
  const { steps, disable_ramdisk: without } = resource.document;
  const ramdisk = without === true ? { ramdisk: false as const } : {};
  return { steps: stepsInOrder(stepsIn(await opened(steps, box))), ...ramdisk };
}

/** A template is meant for the instances that ask for the trait of its name. */
async function templateSteps({ fields }: Node, { readModel, box }: Deps): Promise<readonly WorkStep[]> {
  const traits = fields.instance_info['traits'];
  const names = Array.isArray(traits) ? [...new Set(traits.filter((one) => typeof one === 'string'))] : [];
  const found = await Promise.all(names.map((name) => documentsWith('deploy_template', 'name', name, readModel)));
  const documents = found.flat().map(({ json }) => JSON.parse(json) as Arguments);
  return stepsIn(
    await opened(
      documents.flatMap(({ steps }) => stepsIn(steps)),
      box,
    ),
  );
}
