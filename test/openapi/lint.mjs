/**
 * Lints OpenAPI documents: a JSON array of texts on standard input, a JSON array of problems on standard output. A program of
 * its own, since the linter is an ES module, which the test runner does not load.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core';

const rules = {
  'operation-4xx-response': 'error',
  'no-unused-components': 'error',
  'operation-operationId-unique': 'error',
  'path-parameters-defined': 'error',
  'security-defined': 'error',
  // The contract has words beside parameters, as `nodes/detail` beside `nodes/{ident}`.
  'no-ambiguous-paths': 'off',
};

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const documents = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const config = await createConfig({ extends: ['recommended'], rules });
const problems = [];
for (const [index, source] of documents.entries()) {
  const found = await lintFromString({ source, absoluteRef: `document-${index}.json`, config });
  problems.push(
    ...found.map(({ ruleId, severity, message, location }) => ({
      document: index,
      ruleId,
      severity,
      message,
      pointer: location[0]?.pointer,
    })),
  );
}
process.stdout.write(JSON.stringify(problems));
