import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readNewEngines } from './new-engines.ts';

/** Reads a file of engines with this content. The engine of the other regions is the embedded one. */
async function read(t: TestContext, content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-engines-'));
  t.after(() => rm(folder, { recursive: true }));
  const engines = join(folder, 'engines.yaml');
  await writeFile(engines, content);
  return readNewEngines({ engine: 'embedded', engines });
}

test('an entry for a region overrides an entry for its provider, which overrides --engine', async (t) => {
  const { engineIn, usesKubernetes } = await read(
    t,
    'AWS: kubernetes\nAWS/EU_WEST_1: embedded\nGCP/europe-west1: kubernetes\n',
  );
  assert.equal(usesKubernetes, true);
  assert.deepEqual(
    [
      engineIn('AWS', 'US_EAST_1'),
      engineIn('AWS', 'EU_WEST_1'),
      engineIn('GCP', 'WESTERN_EUROPE'),
      engineIn('GCP', 'CENTRAL_US'),
      engineIn('AZURE', 'US_EAST'),
    ],
    ['kubernetes', 'embedded', 'kubernetes', 'embedded', 'embedded'],
  );
});

test('without a file, all regions have the engine of --engine', async () => {
  const { engineIn, usesKubernetes } = await readNewEngines({ engine: 'kubernetes', engines: undefined });
  assert.deepEqual([engineIn('AWS', 'EU_WEST_1'), usesKubernetes], ['kubernetes', true]);
});

test('Kubernetes is not used if the file names only the embedded engine', async (t) => {
  assert.equal((await read(t, '{"AWS/EU_WEST_1": "embedded"}')).usesKubernetes, false);
});

test('an invalid entry is reported with the name of the entry', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      'ATLANTIS: embedded',
      /^The entry "ATLANTIS" in the file .*engines\.yaml of --engines is neither a provider/,
    ],
    ['AWS/EU_WEST_9: embedded', /^The entry "AWS\/EU_WEST_9" .* nor a region, such as AWS\/EU_WEST_1$/],
    ['GCP/EU_WEST_1: embedded', /^The entry "GCP\/EU_WEST_1" .* nor a region/],
    ['AWS/EU_WEST_1/a: embedded', /^The entry "AWS\/EU_WEST_1\/a" .* nor a region/],
    ['AWS: adopted', /^The entry "AWS" .* takes one of embedded, kubernetes; it was "adopted"$/],
    ['AWS: {EU_WEST_1: kubernetes}', /^The entry "AWS" .* takes one of embedded, kubernetes; it was \{/],
    [
      'AWS/EU_WEST_1: embedded\nAWS/eu-west-1: embedded',
      /^The entry "AWS\/eu-west-1" .* that another entry names$/,
    ],
    ['AWS: embedded\nAWS: kubernetes', /engines\.yaml of --engines cannot be read: Map keys must be unique/],
    ['- AWS', /engines\.yaml of --engines does not contain entries such as AWS: kubernetes$/],
    ['', /engines\.yaml of --engines does not contain entries/],
  ];
  for (const [content, message] of cases) {
    await assert.rejects(read(t, content), { name: 'ConfigError', message }, content);
  }
  await assert.rejects(readNewEngines({ engine: 'embedded', engines: '/nowhere/engines.yaml' }), {
    message: /^The file \/nowhere\/engines\.yaml of --engines cannot be read: ENOENT/,
  });
});
