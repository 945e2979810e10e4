import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ConfigError, parsed } from '@portolan/foundation/command-line';
import { readConfig } from '@portolan/service/settings';
import { operatorOf, readBootstrap } from './operator.ts';

interface Adopted {
  readonly id: string;
  readonly name: string;
  readonly groupId: string;
  readonly topology: string;
  readonly version: string;
  readonly product?: string;
  readonly hosts: readonly string[];
  readonly missingCapabilities: readonly { readonly name: string; readonly reason: string }[];
}

/** `portolan adopt URI --name NAME` makes a deployment that runs outside Portolan available as a cluster. */
export async function adopt(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  const [uri, ...more] = positionals;
  const { name } = values;
  if (uri === undefined || more.length > 0)
    throw new ConfigError('adopt takes one connection string, or - to read it from the standard input');
  if (name === undefined) throw new ConfigError('adopt requires --name, the name of the cluster');
  const given = (['data-dir', 'config'] as const).flatMap((flag) =>
    values[flag] === undefined ? [] : [`--${flag}`, values[flag]],
  );
  const dataDirectory = readConfig(given, process.env)['data-dir'];
  const operator = await operatorOf(dataDirectory);
  const groupId = values.project ?? (await readBootstrap(dataDirectory)).bootstrap.groupId;
  const connectionString = uri === '-' ? (await text(process.stdin)).trim() : uri;
  const adopted = await operator.call<Adopted>('POST', '/deployments', {
    ...{ groupId, name, connectionString },
    ...(await fileOf('caCertificate', values['ca-file'])),
    ...(await fileOf('clientCertificate', values['certificate-file'])),
  });
  for (const line of linesOf(adopted)) console.log(line);
  return 0;
}

function readArguments(args: readonly string[]) {
  const flag = { type: 'string' } as const;
  const options = {
    ...{ name: flag, project: flag, 'ca-file': flag, 'certificate-file': flag },
    ...{ 'data-dir': flag, config: flag },
  };
  return parsed(() => parseArgs({ args: [...args], options, allowPositionals: true }), 'See portolan help.');
}

async function fileOf(field: string, path: string | undefined): Promise<object> {
  if (path === undefined) return {};
  const content = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${path} cannot be read: ${error.message}`);
  });
  return { [field]: content };
}

function linesOf({ name, id, groupId, topology, version, product, hosts, missingCapabilities }: Adopted) {
  return [
    `adopted ${name} (${id}) in project ${groupId}`,
    `${topology} of ${product ?? 'version'} ${version}: ${hosts.join(', ')}`,
    ...missingCapabilities.map((missing) => `not supported: ${missing.name}, since ${missing.reason}`),
  ];
}
