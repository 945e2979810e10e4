import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError } from '@portolan/foundation/command-line';
import { ID_PATTERN } from '@portolan/foundation/ids';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { errorMessage } from '@portolan/foundation/thrown';
import Type, { type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type BackupSettings, type BackupStorage, exportStorageName } from '../../kubernetes/index.ts';

const Text = Type.String({ minLength: 1 });
const closed = { additionalProperties: false } as const;

/** The fields of a storage, by its type. They have the names that the operator uses. */
const storages = {
  s3: {
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
    credentials: Type.Optional(Type.Object({ AWS_ACCESS_KEY_ID: Text, AWS_SECRET_ACCESS_KEY: Text }, closed)),
  },
  azure: {
    type: Type.Literal('azure'),
    azure: Type.Object(
      { container: Text, prefix: Type.Optional(Text), endpointUrl: Type.Optional(Text) },
      closed,
    ),
    credentials: Type.Object({ AZURE_STORAGE_ACCOUNT_NAME: Text, AZURE_STORAGE_ACCOUNT_KEY: Text }, closed),
  },
} as const;

const ofProject = { projectId: Type.String({ pattern: ID_PATTERN }) };
const common = { image: Type.Optional(Text), exportBuckets: Type.Optional(Type.Array(Type.Unknown())) };

/** The schemas of the whole file, and of an element of `exportBuckets`, by the type of the storage. */
const files = {
  s3: Type.Object({ ...common, ...storages.s3 }, closed),
  azure: Type.Object({ ...common, ...storages.azure }, closed),
};
const elements = {
  s3: Type.Object({ ...ofProject, ...storages.s3 }, closed),
  azure: Type.Object({ ...ofProject, ...storages.azure }, closed),
};

interface Content extends Pick<BackupStorage, 'credentials' | 'type'> {
  readonly s3?: BackupStorage['fields'];
  readonly azure?: BackupStorage['fields'];
}

interface FileContent extends Content {
  readonly image?: string;
  readonly exportBuckets?: readonly unknown[];
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
  const { image = defaultImage, exportBuckets = [], ...given } = checked<FileContent>(content, files, reject);
  const storageOf = ({ type, credentials, ...fields }: Content): BackupStorage => ({
    ...{ type, credentials },
    fields: fields[type] ?? {},
    credentialsVersion: secrets.sign(JSON.stringify(credentials ?? null), 'backup storage on Kubernetes'),
  });
  const others = exportBuckets.map((element, index) => {
    const rejectAt = (problem: string) => reject(`has the export bucket ${index + 1}, which ${problem}`);
    const { projectId, ...storage } = checked<Content & { projectId: string }>(element, elements, rejectAt);
    return { projectId, ...storageOf(storage) };
  });
  const names = others.map((storage) => `${storage.projectId} ${exportStorageName(storage)}`);
  if (new Set(names).size < names.length) throw reject('names an export bucket of a project twice');
  return { image, ...storageOf(given), ...(others.length === 0 ? {} : { exportBuckets: others }) };
}

type Reject = (problem: string) => ConfigError;

/** Returns the content of the file, or an element of it, with the schema of its type. */
function checked<T>(content: unknown, schemas: Readonly<Record<'s3' | 'azure', TSchema>>, reject: Reject): T {
  const { type } = (content ?? {}) as { readonly type?: unknown };
  if (type !== 's3' && type !== 'azure') throw reject('does not have the type s3 or azure');
  const [problem] = Value.Errors(schemas[type], content);
  if (problem !== undefined) throw reject(`is invalid${placeOf(problem)}: ${problem.message}`);
  return content as T;
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
