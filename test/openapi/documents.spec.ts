/** The documents are OpenAPI 3.1 to a linter, and their schemas are such to a validator. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { openApiDocument } from '@lib/contracts/openapi';

const MINORS = [1, 38, 72, 115] as const;

interface Problem {
  readonly document: number;
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly pointer: string;
}

function lint(documents: readonly object[]): Problem[] {
  const input = JSON.stringify(documents.map((one) => JSON.stringify(one)));
  const run = spawnSync(process.execPath, [join(__dirname, 'lint.mjs')], { input, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the linter ended with ${run.status}: ${run.stderr}`);
  return JSON.parse(run.stdout) as Problem[];
}

/** A reference that leads nowhere, an operation twice, and one without answers. */
function spoiled(): object {
  const document = JSON.parse(JSON.stringify(openApiDocument(1))) as {
    paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    components: { schemas: Record<string, object> };
  };
  document.components.schemas['Node'] = { $ref: '#/components/schemas/Nowhere' };
  const [one, other] = ['/v1/nodes', '/v1/ports'].map((path) => document.paths[path]?.['get']);
  if (!one || !other) throw new Error('the operations to spoil are not there');
  other.operationId = one.operationId;
  one.responses = {};
  return document;
}

describe('a linter', () => {
  const good = [
    ...MINORS.map((minor) => openApiDocument(minor)),
    openApiDocument(115, 'keystone'),
    openApiDocument(115, 'http_basic'),
  ];
  let problems: readonly Problem[];
  beforeAll(() => {
    problems = lint([...good, spoiled()]);
  }, 120_000);

  it('says nothing of old and new versions, and of servers that authenticate', () => {
    expect(problems.filter(({ document }) => document < good.length)).toEqual([]);
  });

  it('would speak up', () => {
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining(['no-unresolved-refs', 'operation-operationId-unique', 'operation-4xx-response']),
    );
  });
});

it.each(MINORS)('has schemas that a validator can compile, at 1.%i', (minor) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const document = openApiDocument(minor);
  ajv.addSchema(document, 'document');
  for (const name of Object.keys(document.components['schemas'] ?? {})) {
    expect([name, ajv.getSchema(`document#/components/schemas/${name}`)]).toEqual([name, expect.any(Function)]);
  }
});
