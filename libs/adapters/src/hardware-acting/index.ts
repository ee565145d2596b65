import type { Act, ActName, MachineQuestion, VendorMethod } from '@lib/domain';
import type { ActingInterface, ActRefusal, Call, Machine, Validate } from '@lib/ports';
import { unsupported } from '../hardware-refusing';

type ActOf<Name extends ActName> = Extract<Act, { act: Name }>;
type QuestionOf<Ask extends MachineQuestion['ask']> = Extract<MachineQuestion, { ask: Ask }>;

/** One kind of act as an interface carries it out. */
interface Offered<Name extends ActName> {
  /** What is wrong with this one, null when it can be asked for. */
  check?(machine: Machine, act: ActOf<Name>): string | null;
  run(machine: Machine, act: ActOf<Name>, call: Call): Promise<unknown>;
}

type Told = { readonly answer: unknown } | { readonly problem: string };

export interface Offers {
  readonly acts?: { readonly [Name in ActName]?: Offered<Name> };
  readonly questions?: {
    readonly [Ask in MachineQuestion['ask']]?: (machine: Machine, question: QuestionOf<Ask>) => Told | Promise<Told>;
  };
  readonly vendorMethods?: Readonly<Record<string, VendorMethod>>;
}

/** An acting interface from what it offers; everything else is refused in the words of the base of all interfaces. */
export function actingInterface(name: string, validate: Validate, offers: Offers): ActingInterface {
  const { acts = {}, questions = {}, vendorMethods = {} } = offers;
  const offered = (act: Act) => acts[act.act] as Offered<ActName> | undefined;
  const refused = (what: string): ActRefusal => ({ unsupported: unsupported(name, what) });
  return {
    validate,
    vendorMethods,
    check: (machine, act) => {
      const one = offered(act);
      if (!one) return refused(act.act);
      const problem = one.check?.(machine, act) ?? null;
      return problem === null ? null : { problem };
    },
    carryOut: async (machine, act, call) => {
      const one = offered(act);
      if (!one) throw new Error(unsupported(name, act.act));
      return one.run(machine, act, call);
    },
    ask: async (machine, question) => {
      const ask = questions[question.ask] as
        ((machine: Machine, question: MachineQuestion) => Told | Promise<Told>) | undefined;
      return ask ? ask(machine, question) : refused(question.ask);
    },
  };
}

/** An interface of that name which offers nothing. */
export const refusingActing = (kind: string, name: string): ActingInterface =>
  actingInterface(name, () => unsupported(name, kind), {});
