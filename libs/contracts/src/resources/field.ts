/** One field of a resource: everything that the api, the read model and the checks need to know about it. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** First minor API version that knows the field. */
  readonly min: number;
  readonly below: BelowField;
  readonly create: 'required' | 'allowed' | 'refused';
  readonly patch: boolean;
  readonly nullable: boolean;
  /** What an unset field is shown as, and what removing it by PATCH gives. */
  readonly empty: unknown;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only values that it may have. */
  readonly oneOf?: readonly string[];
  /** Taken, but shown to nobody. */
  readonly writeOnly?: boolean;
  /** Free objects whose secret-looking keys are shown as six asterisks. */
  readonly masked: boolean;
  readonly sortable: boolean;
  /** May be named in `fields=`. */
  readonly selectable: boolean;
  /** Column of the read model, present when a list may filter or sort on the field. */
  readonly column: 'text' | 'integer' | 'boolean' | null;
  /** Not in the stored document: the api adds it when it renders. */
  readonly computed: boolean;
}

/** How a request whose version does not know the field is answered where it names it; in answers the field is not shown. */
export interface BelowField {
  /** In POST: refused unless the value is empty, or taken all the same. */
  readonly create: 406 | 'taken';
  /** As the whole of a PATCH path with `add` or `replace`. */
  readonly patch: 406 | 400 | 'taken';
  /** In `fields=`: refused, or nothing is shown. */
  readonly fields: 406 | 400 | 'nothing';
}

export type FieldType = 'uuid' | 'string' | 'integer' | 'boolean' | 'object' | 'list' | 'time' | 'links';

const emptyOf: Readonly<Record<FieldType, unknown>> = {
  uuid: null,
  string: null,
  integer: null,
  boolean: null,
  object: {},
  list: [],
  time: null,
  links: [],
};

/** The rule of the contract (microversions.json, generic_rules). */
const refusedBelow: BelowField = { create: 406, patch: 406, fields: 406 };

/** What differs from it for one field. */
export const below = (differs: Partial<BelowField>): { readonly below: BelowField } => ({
  below: { ...refusedBelow, ...differs },
});

/** Scalars are columns, sortable and selectable unless the declaration says otherwise; objects are none of the first two. */
export function field(min: number, name: string, type: FieldType, differs: Partial<Field> = {}): Field {
  const scalar = type !== 'object' && type !== 'list' && type !== 'links';
  const column = type === 'boolean' ? 'boolean' : type === 'integer' ? 'integer' : 'text';
  return {
    name,
    type,
    min,
    below: refusedBelow,
    create: 'refused',
    patch: false,
    nullable: scalar,
    empty: emptyOf[type],
    masked: false,
    sortable: scalar && !differs.computed,
    selectable: type !== 'links',
    column: scalar && !differs.computed ? column : null,
    computed: false,
    ...differs,
  };
}

/** The client may send it in POST and in PATCH. */
export const client = { create: 'allowed', patch: true } as const;
/** Only in PATCH. */
export const patchOnly = { patch: true } as const;
/** Only in POST. */
export const createOnly = { create: 'allowed' } as const;
