import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { fetchToken } from './support/client.ts';
import { scopeOf, temporaryFolder } from './support/service.ts';
import { own } from './support/setups.ts';
import { uniqueName } from './support/stage.ts';

const project = dirname(import.meta.dirname);
const require = createRequire(import.meta.url);

/** A program that uses types generated from the service's OpenAPI document. */
const program = `
import createClient from 'openapi-fetch';
import type { components, paths } from './service.ts';

type Project = components['schemas']['Project'];

export async function useService(baseUrl: string, token: string, orgId: string, name: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });
  const said: unknown[] = [];

  const made = await client.POST('/api/service/v2/groups', { body: { name, orgId, tags: null } });
  if (made.data === undefined || 'content' in made.data) throw new Error(JSON.stringify(made.error));
  const { id: groupId = '', tags }: Project = made.data;
  said.push(made.response.status, made.data.name, tags);

  const path = { groupId };
  const entries = await client.POST('/api/service/v2/groups/{groupId}/accessList', {
    params: { path },
    body: [{ ipAddress: '10.1.2.3', comment: 'pier' }],
  });
  said.push(entries.response.status, entries.data?.results.map(({ ipAddress, comment }) => [ipAddress, comment]));

  const cluster = await client.POST('/api/service/v2/groups/{groupId}/clusters', {
    params: { path },
    body: {
      name: 'generated',
      providerSettings: { providerName: 'TENANT', backingProviderName: 'AWS', instanceSizeName: 'M0', regionName: 'US_EAST_1' },
    },
  });
  if (cluster.data === undefined || 'content' in cluster.data) throw new Error(JSON.stringify(cluster.error));
  said.push(cluster.response.status, cluster.data.stateName);

  const enveloped = await client.GET('/api/service/v2/groups/{groupId}', {
    params: { path, query: { envelope: true } },
  });
  if (enveloped.data === undefined || !('content' in enveloped.data)) throw new Error('no envelope');
  said.push(enveloped.data.status, enveloped.data.content.name);

  const clusterPath = { ...path, clusterName: 'absent' };
  const absent = await client.GET('/api/service/v2/groups/{groupId}/clusters/{clusterName}', {
    params: { path: clusterPath },
  });
  if (absent.error === undefined || 'content' in absent.error) throw new Error('an absent cluster was answered');
  said.push(absent.error.error, absent.error.errorCode);

  // @ts-expect-error: the body is required
  await client.POST('/api/service/v2/groups/{groupId}/accessList', { params: { path } });
  // @ts-expect-error: a name is a text
  const wrong = await client.PATCH('/api/service/v2/groups/{groupId}', { params: { path }, body: { name: 7 } });
  said.push(wrong.response.status);

  const load = { ...path, nameOrSampleDatasetId: 'absent' };
  const loaded = await client.POST('/api/service/v2/groups/{groupId}/sampleDatasetLoad/{nameOrSampleDatasetId}', {
    params: { path: load },
  });
  said.push(loaded.response.status);
  return said;
}
`;

const options = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
};

const execute = promisify(execFile);

/**
 * Runs a program of a package. Returns its output, or makes the test fail if the program fails. Does not block this
 * process, which must notice when the service closes a connection that has been idle for long.
 */
async function run(folder: string, name: string, file: string, ...args: string[]): Promise<string> {
  const script = join(dirname(require.resolve(`${name}/package.json`)), file);
  const done = execute(process.execPath, [script, ...args], { cwd: folder });
  const { stdout, stderr } = await done.catch((error) => assert.fail(`${error}\n${error.stdout}`));
  return stdout + stderr;
}

own.onOneSetup(
  'SQLite, one instance',
  'a TypeScript client generated from our document',
  (setup) => {
    test('compiles without a warning, and works against the service', async (t) => {
      const folder = await temporaryFolder(scopeOf(t));
      const document = await setup.account.get('/api/service/openapi/2025-03-12.json');
      writeFileSync(join(folder, 'document.json'), document.text);
      writeFileSync(join(folder, 'program.ts'), program);
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
      symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
      const output = await run(
        folder,
        'openapi-typescript',
        'bin/cli.js',
        'document.json',
        '-o',
        'service.ts',
      );
      assert.doesNotMatch(output, /warn|⚠/i);
      assert.equal(await run(folder, '@typescript/native', 'bin/tsc', '-p', folder), '');

      const { clientId, clientSecret, url, orgId } = setup.bootstrap;
      const [connection] = setup.connections;
      assert.ok(connection);
      const token = await fetchToken(connection, clientId, clientSecret);
      const { useService } = await import(join(folder, 'program.ts'));
      const name = uniqueName('generated');
      assert.deepEqual(await useService(url, token, orgId, name), [
        ...[200, name, []],
        ...[201, [['10.1.2.3', 'pier']]],
        ...[201, 'CREATING'],
        ...[200, name],
        ...[404, 'CLUSTER_NOT_FOUND'],
        400,
        404,
      ]);
    });
  },
  { settings: { 'plain-http': true } },
);
