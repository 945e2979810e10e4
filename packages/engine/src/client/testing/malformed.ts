import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../../access/scram.ts';
import { deploymentSpec } from '../../testing.ts';
import { WireClient } from '../../wire/testing.ts';
import { logIn } from '../../wire/testing-login.ts';
import { drawing, malformed } from '../../wire/testing-malformed.ts';
import { createEmbeddedEngine } from '../engine.ts';
import { startHost } from './host.ts';

export interface MalformedOptions {
  readonly seed: number;
  /** Minimum number of messages. More are sent until `until` returns true. */
  readonly messages: number;
  readonly until?: () => boolean;
  /** Number of messages between two checks. */
  readonly every: number;
}

export interface MalformedReport {
  readonly sent: number;
  /** Descriptions of the faults that were found. Empty if everything is correct. */
  readonly faults: readonly string[];
  /** Resident memory of the host in MiB at each check. */
  readonly memory: readonly number[];
}

const LANES = 16;
/** The time to wait for a reply or the end of the connection. The host does not reply to an incomplete message. */
const REPLY_MS = 25;
const PASSWORD = 'pencil';

/**
 * Sends malformed messages to an engine, with and without authentication, while a driver uses the engine. The
 * messages must not affect the driver.
 */
export async function sendMalformed(options: MalformedOptions): Promise<MalformedReport> {
  const random = systemRandom();
  const dataDir = mkdtempSync(join(tmpdir(), 'portolan-malformed-'));
  const ports = await enginePorts();
  const engine = createEmbeddedEngine({
    dataDir,
    startHost,
    log: silentLog(),
    ports,
  });
  const scram = await scramCredentials('ada', PASSWORD, random);
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  const access = { revision: 1, addresses: ['127.0.0.1/32'], users };
  try {
    const { members } = await engine.provision(deploymentSpec({ id: '1'.padStart(24, '0'), access }));
    const port = members[0]?.port ?? 0;
    const uri = `mongodb://ada:${PASSWORD}@127.0.0.1:${port}/?directConnection=true`;
    const driver = await MongoClient.connect(uri, { maxPoolSize: 1, ...LONG_TIMEOUTS });
    try {
      return await run(driver, port, options);
    } finally {
      await driver.close();
    }
  } finally {
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function run(
  driver: MongoClient,
  port: number,
  { seed, messages, until = () => true, every }: MalformedOptions,
): Promise<MalformedReport> {
  const draw = drawing(seed);
  const faults: string[] = [];
  const memory: number[] = [];
  let ended = 0;
  driver.on('connectionClosed', () => void ended++);
  let sent = 0;
  while (faults.length === 0 && (sent < messages || !until())) {
    const batch = Array.from({ length: every }, () => ({ bytes: malformed(draw), known: draw(2) === 0 }));
    const lanes = Array.from({ length: LANES }, async () => {
      for (let next = batch.pop(); next !== undefined; next = batch.pop()) {
        await deliver(port, next.bytes, next.known).catch((error) => faults.push(`a connection: ${error}`));
      }
    });
    await Promise.all(lanes);
    sent += every;
    memory.push(await countReplies(driver, sent, faults));
  }
  if (ended > 0) faults.push(`${ended} connections of the driver have ended`);
  return { sent, faults, memory };
}

async function deliver(port: number, bytes: Buffer, known: boolean): Promise<void> {
  if (!known) return send(port, bytes);
  const client = await WireClient.connect(port);
  try {
    await logIn(client, 'ada', PASSWORD);
    await answered(client, bytes);
  } finally {
    client.end();
  }
}

async function answered(client: WireClient, bytes: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, REPLY_MS);
  client.onMessage = () => resolve();
  client.send(bytes);
  await Promise.race([promise, client.closed]);
  clearTimeout(timer);
}

function send(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve();
    };
    const timer = setTimeout(finish, REPLY_MS);
    socket.once('connect', () => socket.write(bytes));
    socket.once('data', finish);
    socket.once('close', finish);
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish();
      else reject(error);
    });
  });
}

/** Checks that the driver's connection still works. Returns the host's memory. */
async function countReplies(driver: MongoClient, sent: number, faults: string[]): Promise<number> {
  const healthy = driver.db('healthy').collection<{ _id: number }>('rounds');
  try {
    await healthy.insertOne({ _id: sent });
    if ((await healthy.findOne({ _id: sent })) === null) faults.push(`the write after ${sent} is missing`);
    const { mem } = await driver.db('admin').command({ serverStatus: 1 });
    return mem.resident;
  } catch (error) {
    faults.push(`after ${sent} messages: ${error}`);
    return 0;
  }
}
