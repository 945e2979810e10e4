import { accessSync, constants, statSync } from 'node:fs';
import type { SourceOrder, TargetOrder } from '@portolan/service/live-migrations';
import { boundedReplies, COMMAND_MS, PermanentError } from '@portolan/service/replication';
import { MongoClient, type MongoClientOptions } from 'mongodb';

const COMMON: MongoClientOptions = {
  appName: 'portolan link',
  maxPoolSize: 8,
  readPreference: 'primary',
  readConcern: { level: 'majority' },
  // Without a limit, a server that hangs would block a migration forever.
  socketTimeoutMS: COMMAND_MS,
};

/** Creates a client of a source, with the settings of an order. The caller must close it. */
export function sourceClient(uri: string, order: SourceOrder, more: MongoClientOptions): MongoClient {
  const { credentials, ssl, caCertificatePath } = order;
  if (caCertificatePath !== undefined) checkReadable(caCertificatePath);
  const client = new MongoClient(uri, {
    ...{ ...COMMON, ...boundedReplies() },
    tls: ssl,
    ...(caCertificatePath === undefined ? {} : { tlsCAFile: caCertificatePath }),
    ...(credentials === undefined
      ? {}
      : { auth: credentials, authSource: 'admin', authMechanism: 'DEFAULT' }),
    ...more,
  });
  const mechanism = client.options.credentials?.mechanism;
  if (mechanism !== undefined && !/^(DEFAULT|SCRAM-SHA-(1|256))$/.test(mechanism))
    throw new PermanentError(
      `The migration host logs in to the source with ${mechanism}, but must use SCRAM.`,
    );
  return client;
}

/** Throws unless the file can be read. A caller of the API chooses the path, and reading a device would never end. */
function checkReadable(file: string): void {
  try {
    if (!statSync(file).isFile()) throw new Error('not a file');
    accessSync(file, constants.R_OK);
  } catch {
    throw new PermanentError(
      `The file ${file} with the authority of the source cannot be read by the migration host.`,
    );
  }
}

/**
 * Creates a client of a destination. The caller must close it. `authorityFile` is a file with the authority of the
 * destination, unless the order contains it.
 */
export function targetClient(
  { uri, username, password, caCertificate }: TargetOrder,
  authorityFile: string | undefined,
  more: MongoClientOptions,
): MongoClient {
  const trust = authorityFile === undefined ? {} : { tlsCAFile: authorityFile };
  return new MongoClient(uri, {
    ...COMMON,
    auth: { username, password },
    ...(caCertificate === undefined ? trust : { ca: caCertificate }),
    writeConcern: { w: 'majority' },
    ...more,
  });
}
