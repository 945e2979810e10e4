import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { machineClock } from '@portolan/foundation/clock';
import { ConfigError, parsed } from '@portolan/foundation/command-line';
import { logOutput } from '@portolan/foundation/log-output';
import { LOWERCASE_AND_DIGITS, randomText, systemRandom } from '@portolan/foundation/random';
import { shutdownRequested } from '@portolan/foundation/starter/starter';
import { errorMessage } from '@portolan/foundation/thrown';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { type CertificateFiles, readCertificate } from '@portolan/foundation/tls/certificate-files';
import { pino } from 'pino';
import { createEmbeddedEngine, type DeploymentSpec, scramCredentials } from '../management.ts';

const REPLICA_SET = 'engine';
const PORTS = { from: 20_000, to: 29_999, first: 27_100 };

/**
 * Runs `portolan engine [--data-dir DIR] [--port N] [--tls-cert FILE --tls-key FILE] [--stay]`. The command starts a
 * replica set of three members without a service, with a user who has all privileges. Without a directory, the data is
 * temporary. Port 0 selects free ports. With a certificate, the members accept only TLS. The function runs until a
 * signal arrives, and returns the exit code.
 */
export async function runEngine(args: readonly string[]): Promise<number> {
  const { directory, first, stays, tls } = readArguments(args);
  const stopped = shutdownRequested(machineClock(), stays);
  await using stack = new AsyncDisposableStack();
  const certificate = tls && (await certificateIn(tls));
  const dataDir = directory ?? (await temporaryFolder(stack));
  const engine = createEmbeddedEngine({
    dataDir,
    ports: { ...PORTS, first },
    endsWithProcess: true,
    tls: certificate !== undefined,
    log: pino({ level: 'warn' }, logOutput()),
  });
  stack.defer(() => engine.stop());
  if (certificate !== undefined) {
    await engine.start();
    await engine.setTls(certificate);
  }
  const password = randomText(systemRandom(), LOWERCASE_AND_DIGITS, 16);
  const spec = await deployment(password);
  await engine.provision(spec);
  const { members } = await engine.setAccess(spec.id, spec.access);
  const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
  const options = `authSource=admin&replicaSet=${REPLICA_SET}${certificate === undefined ? '' : '&tls=true'}`;
  console.log(`ready mongodb://root:${password}@${hosts}/?${options}`);
  await stopped;
  return 0;
}

interface Arguments {
  readonly directory: string | undefined;
  readonly first: number;
  readonly stays: boolean;
  readonly tls: CertificateFiles | undefined;
}

function readArguments(args: readonly string[]): Arguments {
  const options = {
    'data-dir': { type: 'string' },
    port: { type: 'string' },
    stay: { type: 'boolean' },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
  } as const;
  const { values } = parsed(() => parseArgs({ args: [...args], options }), 'See portolan help.');
  const port = Number(values.port ?? PORTS.first);
  if (!Number.isInteger(port) || (port !== 0 && (port < PORTS.from || port > PORTS.to))) {
    throw new ConfigError(
      `--port must be 0 or a number from ${PORTS.from} to ${PORTS.to}; it was ${values.port}`,
    );
  }
  const directory = values['data-dir'] === undefined ? undefined : resolve(values['data-dir']);
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const first = port === 0 ? PORTS.from + systemRandom().integer(PORTS.to - PORTS.from) : port;
  const [certFile, keyFile] = [values['tls-cert'], values['tls-key']];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError('--tls-cert and --tls-key require each other');
  }
  const tls = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
  return { directory, first, stays: values.stay ?? false, tls };
}

/** Reads a certificate and its key. Throws a `ConfigError` that names the file. */
async function certificateIn(files: CertificateFiles): Promise<Certificate> {
  try {
    return await readCertificate(files);
  } catch (error) {
    throw new ConfigError(errorMessage(error));
  }
}

async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-engine-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function deployment(password: string): Promise<DeploymentSpec> {
  const root = {
    username: 'root',
    database: 'admin',
    roles: [{ role: 'root', database: 'admin' }],
    scram: await scramCredentials('root', password, systemRandom()),
  };
  return {
    id: 'alone',
    clusterName: REPLICA_SET,
    replicaSetName: REPLICA_SET,
    majorVersion: '8.2',
    version: '8.2.0',
    members: [0, 1, 2].map((index) => ({
      id: `shard-00-0${index}`,
      shard: 0,
      kind: 'electable',
      provider: 'AWS',
      region: 'US_EAST_1',
      priority: 7,
    })),
    ownUsers: true,
    // The revision is the current time, so that a later start replaces the password of an earlier start.
    access: { revision: machineClock().now(), users: [root], addresses: ['127.0.0.1/32', '::1/128'] },
  };
}
