import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../parity/bodies.ts';
import { type RunningService, startService } from '../parity/service.ts';

/**
 * Calls every method of the vendor's Go SDK once, on a service with a few resources. A call succeeds if the SDK can read
 * the response: a result, or an error with a code.
 */
export async function runGoSdk(root: string, source: string): Promise<boolean> {
  const program = buildProgram(join(root, 'node_modules', '.suites', 'go-sdk'), source);
  await using service = await startService(root);
  const values = await prepare(service);
  const names = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const { url, caCertificate } = service;
  const env = { ...process.env, SUITE_TOKEN: await service.token, SSL_CERT_FILE: caCertificate };
  const output = execFileSync(program, [url, ...names], { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return tell(output.trimEnd().split('\n'));
}

function buildProgram(folder: string, source: string): string {
  mkdirSync(folder, { recursive: true });
  const [, sdk = ''] = /^module (\S+)$/m.exec(readFileSync(join(source, 'go.mod'), 'utf8')) ?? [];
  const version = `${sdk.split('/').at(-1)}.0.0`;
  const module = `module suite\n\ngo 1.25.0\n\nrequire ${sdk} ${version}\n\nreplace ${sdk} => ${source}\n`;
  const text = readFileSync(join(import.meta.dirname, 'go-sdk', 'main.go'), 'utf8');
  writeFileSync(join(folder, 'go.mod'), module);
  writeFileSync(join(folder, 'main.go'), text.replace('"SDK/admin"', `"${sdk}/admin"`));
  const go = (...args: string[]) => execFileSync('go', args, { cwd: folder, stdio: 'inherit' });
  go('mod', 'tidy');
  go('build', '-o', 'calls', '.');
  return join(folder, 'calls');
}

const cluster = {
  name: 'quay',
  clusterType: 'REPLICASET',
  backupEnabled: true,
  replicationSpecs: [
    {
      regionConfigs: [
        {
          ...{ providerName: 'AWS', regionName: 'US_EAST_1', priority: 7 },
          electableSpecs: { instanceSize: 'M10', nodeCount: 3 },
        },
      ],
    },
  ],
};

/** Creates resources, and returns values of parameters by the SDK's names. */
async function prepare(service: RunningService): Promise<Record<string, string>> {
  const { orgId } = service;
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await service.send('POST', path, '2025-03-12', body);
    if (answer.status >= 300 || !isObject(answer.body)) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const { id } = await post('/groups', { name: 'sdk', orgId });
  const project = `/groups/${id}`;
  await post(`${project}/clusters`, cluster);
  const place = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };
  await post(`${project}/flexClusters`, { name: 'flex', providerSettings: place });
  const roles = [{ roleName: 'atlasAdmin', databaseName: 'admin' }];
  const user = { username: 'ada', password: 'a long password', databaseName: 'admin', roles };
  await post(`${project}/databaseUsers`, user);
  await post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]);
  await post(`${project}/integrations/WEBHOOK`, { type: 'WEBHOOK', url: 'https://example.org/hook' });
  await post(`/orgs/${orgId}/apiKeys`, { desc: 'suite', roles: ['ORG_MEMBER'] });
  await post(`/orgs/${orgId}/teams`, { name: 'crew', usernames: [service.username] });
  const actions = [{ action: 'FIND', resources: [{ db: 'harbour', collection: '' }] }];
  await post(`${project}/customDBRoles/roles`, { roleName: 'reader', actions });
  const processes = await service.send('GET', `${project}/processes`, '2023-01-01');
  const [first] =
    isObject(processes.body) && Array.isArray(processes.body.results) ? processes.body.results : [];
  return {
    ...{
      OrgId: orgId,
      GroupId: String(id),
      ClusterName: cluster.name,
      DatabaseName: 'admin',
      Username: 'ada',
    },
    ...{ CloudProvider: 'AWS', ProviderName: 'AWS', IntegrationType: 'WEBHOOK', RoleName: 'reader' },
    ...{ UserName: service.username, Granularity: 'PT1M', Period: 'PT1H', ProcessId: String(first?.id) },
    RequesterAccountId: '012345678901',
  };
}

/**
 * Prints how many methods had which result, and lists the methods that failed or sent no request. The SDK sends no
 * request if an argument is invalid.
 */
function tell(lines: readonly string[]): boolean {
  const by = Map.groupBy(lines, (line) => line.slice(0, line.indexOf('\t')));
  const count = (name: string) => by.get(name)?.length ?? 0;
  for (const line of [...(by.get('failed') ?? []), ...(by.get('unsent') ?? [])]) console.log(line);
  const served = count('ok') + count('refused') + count('failed');
  console.log(`${lines.length} methods; ${served} of them are served: ${count('ok')} returned a result,`);
  console.log(`${count('refused')} an error with a code, and ${count('failed')} failed`);
  return served > 0 && count('failed') === 0;
}
