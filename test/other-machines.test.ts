import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import pg from 'pg';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import { own, type Setup } from './support/setups.ts';
import { clusterBody, gone, idle, newProject } from './support/stage.ts';

/** Two loopback addresses stand for two machines, each with a data directory, a service and an engine host. */
const machines = ['127.0.0.1', '127.0.0.2'].map((address) => ({
  listen: `${address}:0`,
  'engine-listen': address,
  'control-listen': `${address}:0`,
}));

interface Announced {
  readonly address: string;
  readonly port: number;
  readonly authority: string;
}

/** Returns what the engine hosts have announced to the services that share the store. */
async function announced({ settings }: Setup): Promise<Announced[]> {
  const client = new pg.Client({ connectionString: String(settings.database) });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT address, port, authority FROM engine_host ORDER BY address');
    return rows.map(({ port, ...row }) => ({ ...row, port: Number(port) }));
  } finally {
    await client.end();
  }
}

/** Returns the greeting that a host sends on a TLS connection, and the names of its certificate. */
async function greeting({ address: host, port, authority: ca }: Announced) {
  const socket = connectTls({ host, port, ca });
  // Give up after a minute: at another address, the port may belong to any program, which may wait for the client to
  // send something.
  const signal = AbortSignal.timeout(60_000);
  try {
    await once(socket, 'secureConnect', { signal });
    const [words] = await once(socket, 'data', { signal });
    return { words: String(words), names: String(socket.getPeerCertificate().subjectaltname) };
  } finally {
    socket.destroy();
  }
}

const codeOf = ({ code }: { readonly code?: unknown }) => code;

/** Returns everything that a host sends to a client that does not use TLS. */
async function answerToPlainText({ address: host, port }: Announced): Promise<string> {
  const socket = connectPlain({ host, port });
  socket.write('{"nonce": "n", "proof": "p"}\n');
  return Buffer.concat(await socket.toArray()).toString();
}

own.onSetup(
  'PostgreSQL, two instances',
  'engine hosts of other machines',
  (setup) => {
    test('listen for services over TLS, with a certificate of the shared authority', async () => {
      const hosts = await announced(setup);
      assert.deepEqual(
        hosts.map(({ address }) => address),
        ['127.0.0.1', '127.0.0.2'],
      );
      for (const [index, host] of hosts.entries()) {
        assert.equal(host.authority, setup.instances[index]?.authority);
        const { words, names } = await greeting(host);
        assert.match(words, /"engine":"portolan-engine"/);
        assert.doesNotMatch(await answerToPlainText(host), /portolan/);
        const elsewhere = hosts[1 - index]?.address ?? '';
        // The certificate of a host has only the name of its own address. If the host listened at the other address
        // too, its certificate would be rejected there.
        assert.ok(names.includes(host.address) && !names.includes(elsewhere), names);
        const outcome = await greeting({ ...host, address: elsewhere }).then(() => 'greeted', codeOf);
        assert.notEqual(outcome, 'ERR_TLS_CERT_ALTNAME_INVALID');
      }
    });

    test('are controlled by another service when their own service has ended', async (t) => {
      const [first, second] = [setup.accountAt(0), setup.accountAt(1)];
      const project = await newProject(setup);
      const clusters = `${project}/clusters`;
      const cluster = `${clusters}/far`;
      expectStatus(await second.post(clusters, clusterBody('far')), 201);
      const { connectionStrings } = await idle(second, cluster);
      assert.match(connectionStrings.standard ?? '', /^mongodb:\/\/127\.0\.0\.2:/);
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
      t.after(() => driver.close());
      await setup.instances[1]?.kill();
      expectStatus(await first.patch(cluster, { replicationFactor: 5 }), 200);
      const changed = await idle(first, cluster);
      assert.equal(changed.connectionStrings.standard?.match(/127\.0\.0\.2:/g)?.length, 5);
      await driver.db('ship').collection('log').insertOne({ from: 'afar' });
      await driver.close();
      expectStatus(await first.delete(cluster), 202);
      await gone(first, cluster);
    });
  },
  { instanceSettings: machines },
);
