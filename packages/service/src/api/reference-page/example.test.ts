import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openApiDocument } from '../documents/index.ts';
import { completed } from '../documents/steps.ts';
import { exampleInput } from '../documents/testing.ts';
import { curlExample, sample } from './example.ts';
import { viewOf } from './view.ts';

const edition = { name: '2025-03-12', date: '2025-03-12', legacy: false } as const;
const view = completed(viewOf(openApiDocument(edition, exampleInput)));

function exampleOf(id: string): string[] {
  const operation = view.operations.find(({ operationId }) => operationId === id);
  assert.ok(operation);
  return curlExample(operation, view).split(' \\\n');
}

describe('curl example', () => {
  it('has Digest credentials, the version of the operation and the names in the path', () => {
    assert.deepEqual(exampleOf('getShip'), [
      'curl --digest --user "$publicKey:$privateKey" --cacert ca.pem',
      "  --header 'Accept: application/vnd.service.2025-03-12+json'",
      `  "https://127.0.0.1:8443/api/service/v2/groups/\${groupId}/ships/\${shipName}"`,
    ]);
  });

  it('has the required fields of the body', () => {
    const line = exampleOf('createShip').find((one) => one.includes('--json'));
    assert.equal(line?.trim(), `--json '{"built":"2030-01-01T00:00:00Z","kind":"sail","name":"text"}'`);
  });

  it('has the operator token for an extension', () => {
    assert.match(exampleOf('getTide')[0] ?? '', /^curl --oauth2-bearer "\$operatorToken"/);
  });

  it('prefers the example, default and enum values of a schema', () => {
    assert.equal(sample({ type: 'string', examples: ['M10'] }, {}), 'M10');
    assert.equal(sample({ type: 'integer', default: 7 }, {}), 7);
    assert.equal(sample({ type: 'string', enum: ['AWS', 'GCP'] }, {}), 'AWS');
    assert.deepEqual(sample({ type: 'array', minItems: 1, items: { type: 'boolean' } }, {}), [true]);
  });
});
