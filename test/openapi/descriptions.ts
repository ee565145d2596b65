/** The documents of all versions, made when they are needed, with validators for what they say. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { openApiDocument, type JsonSchema, type OpenApiDocument } from '@lib/contracts/openapi';

export interface Described {
  /** As in the document: `/v1/nodes/{ident}`. */
  readonly path: string;
  readonly operation: JsonSchema;
}

interface Branch {
  readonly literal: Map<string, Branch>;
  parameter: Branch | undefined;
  path: string | undefined;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const newBranch = (): Branch => ({ literal: new Map(), parameter: undefined, path: undefined });

export class Description {
  readonly document: OpenApiDocument;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  private readonly root = newBranch();
  private readonly pointers = new Map<JsonSchema, ValidateFunction>();

  private constructor(minor: number) {
    this.document = openApiDocument(minor);
    addFormats(this.ajv);
    this.ajv.addSchema(this.document, 'document');
    for (const path of Object.keys(this.document.paths)) this.grow(path);
  }

  private static readonly known = new Map<number, Description>();

  static at(minor: number): Description {
    const found = Description.known.get(minor) ?? new Description(minor);
    Description.known.set(minor, found);
    return found;
  }

  /** Words of the path go before parameters. */
  find(method: string, path: string): Described | undefined {
    const found = this.search(
      this.root,
      path.split('/').filter((one) => one !== ''),
      0,
      method.toLowerCase(),
    );
    const operation = found === undefined ? undefined : this.document.paths[found]?.[method.toLowerCase()];
    return found === undefined || operation === undefined ? undefined : { path: found, operation };
  }

  /** The schema of a body, with the references inside of it. */
  validator(...place: readonly string[]): ValidateFunction {
    const pointer = place.map((key) => `/${encodeURIComponent(escaped(key))}`).join('');
    const found = this.ajv.getSchema(`document#${pointer}`);
    if (!found) throw new Error(`the description holds nothing at ${pointer}`);
    return found as ValidateFunction;
  }

  /** What is described by value, as the content of a text. */
  compiled(schema: JsonSchema): ValidateFunction {
    const found = this.pointers.get(schema) ?? this.ajv.compile(schema);
    this.pointers.set(schema, found);
    return found;
  }

  private grow(path: string): void {
    let branch = this.root;
    for (const segment of path.split('/').filter((one) => one !== '')) {
      const next = segment.startsWith('{')
        ? (branch.parameter ?? newBranch())
        : (branch.literal.get(segment) ?? newBranch());
      if (segment.startsWith('{')) branch.parameter = next;
      else branch.literal.set(segment, next);
      branch = next;
    }
    branch.path = path;
  }

  private search(branch: Branch, segments: readonly string[], at: number, method: string): string | undefined {
    const segment = segments[at];
    if (segment === undefined) {
      const has = branch.path !== undefined && this.document.paths[branch.path]?.[method] !== undefined;
      return has ? branch.path : undefined;
    }
    const literal = branch.literal.get(segment);
    const found = literal && this.search(literal, segments, at + 1, method);
    return found ?? (branch.parameter && this.search(branch.parameter, segments, at + 1, method));
  }
}
