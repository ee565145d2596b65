/** One field of a resource: everything that the api, the read model and the checks need to know about it. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** First minor API version that knows the field. */
  readonly min: number;
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

/** Scalars are columns, sortable and selectable unless the declaration says otherwise; objects are none of the first two. */
export function field(min: number, name: string, type: FieldType, differs: Partial<Field> = {}): Field {
  const scalar = type !== 'object' && type !== 'list' && type !== 'links';
  const column = type === 'boolean' ? 'boolean' : type === 'integer' ? 'integer' : 'text';
  return {
    name,
    type,
    min,
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
