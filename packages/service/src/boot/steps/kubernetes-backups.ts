import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError } from '@portolan/foundation/command-line';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { errorMessage } from '@portolan/foundation/thrown';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { BackupSettings } from '../../kubernetes/index.ts';

const Text = Type.String({ minLength: 1 });
const closed = { additionalProperties: false } as const;
const common = { image: Type.Optional(Text) };

/** The content of the file, by the type of the storage. The fields have the names that the operator uses. */
const files = {
  s3: Type.Object(
    {
      ...common,
      type: Type.Literal('s3'),
      s3: Type.Object(
        {
          bucket: Text,
          region: Type.Optional(Text),
          prefix: Type.Optional(Text),
          endpointUrl: Type.Optional(Text),
          insecureSkipTLSVerify: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
      credentials: Type.Optional(
        Type.Object({ AWS_ACCESS_KEY_ID: Text, AWS_SECRET_ACCESS_KEY: Text }, closed),
      ),
    },
    closed,
  ),
  azure: Type.Object(
    {
      ...common,
      type: Type.Literal('azure'),
      azure: Type.Object(
        { container: Text, prefix: Type.Optional(Text), endpointUrl: Type.Optional(Text) },
        closed,
      ),
      credentials: Type.Object({ AZURE_STORAGE_ACCOUNT_NAME: Text, AZURE_STORAGE_ACCOUNT_KEY: Text }, closed),
    },
    closed,
  ),
};

interface Content extends Pick<BackupSettings, 'credentials' | 'type'> {
  readonly image?: string;
  readonly s3?: BackupSettings['fields'];
  readonly azure?: BackupSettings['fields'];
}

/**
 * Reads the file of `--kubernetes-backups`. Throws a `ConfigError` that names the invalid field, without its value,
 * because the file contains credentials.
 */
export async function readBackups(
  path: string | undefined,
  secrets: Pick<SecretBox, 'sign'>,
  defaultImage: string,
): Promise<BackupSettings | undefined> {
  if (path === undefined) return undefined;
  const file = resolve(path);
  const reject = (problem: string) => new ConfigError(`The file ${file} of --kubernetes-backups ${problem}`);
  const content = await contentOf(file).catch((error) => {
    throw reject(`cannot be read: ${errorMessage(error)}`);
  });
  const { type } = (content ?? {}) as { readonly type?: unknown };
  if (type !== 's3' && type !== 'azure') throw reject('does not have the type s3 or azure');
  const [problem] = Value.Errors(files[type], content);
  if (problem !== undefined) throw reject(`is invalid${placeOf(problem)}: ${problem.message}`);
  const { image = defaultImage, credentials, ...given } = content as Content;
  return {
    ...{ image, type, credentials },
    fields: given[type] ?? {},
    credentialsVersion: secrets.sign(JSON.stringify(credentials ?? null), 'backup storage on Kubernetes'),
  };
}

const placeOf = ({ instancePath }: { readonly instancePath: string }): string =>
  instancePath === '' ? '' : ` at ${instancePath.slice(1).replaceAll('/', '.')}`;

async function contentOf(file: string): Promise<unknown> {
  const [{ parse }, text] = await Promise.all([import('yaml'), readFile(file, 'utf8')]);
  try {
    return parse(text);
  } catch {
    // Do not repeat the message of the parser, because it quotes lines of the file.
    throw new Error('it contains neither YAML nor JSON');
  }
}
