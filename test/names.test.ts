import assert from 'node:assert/strict';
import dns from 'node:dns';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import { MongoClient } from 'mongodb';
import { allowAccess, LONG_TIMEOUTS, SAILOR } from './support/drivers.ts';
import { expectStatus, until } from './support/expect.ts';
import { freePort } from './support/ports.ts';
import { scopeOf } from './support/service.ts';
import { openSetup, type Setup } from './support/setups.ts';
import {
  type ClusterDocument,
  idle,
  linksTo,
  newCluster,
  newProject,
  withoutOrigins,
} from './support/stage.ts';

interface Strings {
  readonly private?: string;
  readonly privateSrv?: string;
  readonly standard: string;
  readonly standardSrv: string;
}

/** How long the name server may take to respond on a busy machine. By default, a query fails after some seconds. */
const RESPONSE_MS = 60_000;

/** Returns host and port of each member in a connection string. */
const hostsIn = (url: string) =>
  url
    .replace(/^mongodb:\/\/|\/.*$/g, '')
    .toLowerCase()
    .split(',');

/** Returns a `lookup` function that queries the service's own name server. */
const lookupBy =
  (resolver: dns.promises.Resolver) =>
  (name: string, _: unknown, done: (error: Error | null, found: dns.LookupAddress[]) => void) =>
    void resolver.resolve4(name).then(
      (addresses) =>
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        ),
      (error: Error) => done(error, []),
    );

const stringsOf = (document: ClusterDocument) => document.connectionStrings as unknown as Strings;

describe('names below a domain (SQLite, one instance)', () => {
  const setup = {} as Setup;
  const resolver = new dns.promises.Resolver({ timeout: RESPONSE_MS });
  const former = dns.getServers();
  const scope = scopeOf({ after });
  before(async () => {
    const port = await freePort();
    const settings = { domain: 'Harbour.test', 'dns-listen': `127.0.0.1:${port}` };
    Object.assign(setup, await openSetup(scope, 'SQLite, one instance', { settings }));
    resolver.setServers([`127.0.0.1:${port}`]);
    dns.setServers([`127.0.0.1:${port}`]);
  });
  after(() => dns.setServers(former));

  const lookup = lookupBy(resolver);

  /** Writes with a driver. Returns the addresses of the members to which the driver is then connected. */
  const writes = async (url: string) => {
    const driver = new MongoClient(url, { auth: SAILOR, lookup, ...LONG_TIMEOUTS });
    const known = new Set<string>();
    driver.on('serverOpening', ({ address }) => known.add(address));
    try {
      await driver.db('harbour').collection('ships').insertOne({ name: 'Beagle' });
      return [...known].sort();
    } finally {
      await driver.close();
    }
  };

  test('a driver finds the members through the SRV name of their cluster', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'Quay');
    await allowAccess(setup, project, cluster);
    const document = await idle(setup.owner, cluster);
    const { standard, standardSrv, ...others } = stringsOf(document);
    assert.deepEqual(others, {});
    assert.equal((document as { srvAddress?: string }).srvAddress, standardSrv);
    const [, mark] = /^mongodb\+srv:\/\/quay\.(\w{6})\.harbour\.test\/\?ssl=false$/i.exec(standardSrv) ?? [];
    assert.match(standard, new RegExp(`^mongodb://quay-shard-00-00\\.${mark}\\.harbour\\.test:\\d+,`, 'i'));
    // Members report the same names, so that drivers never need their addresses.
    assert.deepEqual(await writes(standardSrv), hostsIn(standard));
    assert.deepEqual(await writes(standard), hostsIn(standard));
    const seed = `quay.${mark}.harbour.test`;
    const [[text] = []] = await resolver.resolveTxt(seed);
    assert.match(text ?? '', /^authSource=admin&replicaSet=platform-\w+-shard-0$/);
    const hosts = await resolver.resolveSrv(`_mongodb._tcp.${seed}`);
    assert.deepEqual(
      hosts.map(({ name, port }) => `${name}:${port}`.toLowerCase()).sort(),
      hostsIn(standard),
    );
    await assert.rejects(resolver.resolve4(`quay-shard-00-09.${mark}.harbour.test`), { code: 'ENOTFOUND' });
    await assert.rejects(resolver.resolve4(`quay-shard-00-00.000000.harbour.test`), { code: 'ENOTFOUND' });
    await assert.rejects(resolver.resolve6(`quay-shard-00-00.${mark}.harbour.test`), { code: 'ENODATA' });
    await assert.rejects(resolver.resolve4('example.com'), { code: 'EREFUSED' });

    // The legacy form has a hyphen in place of a period. The name server resolves both forms.
    const legacy = stringsOf(expectStatus(await setup.owner.get(`/api/service/v1.0${cluster}`), 200));
    const hyphens = (text: string) => text.replaceAll(`.${mark}.`, `-${mark}.`);
    assert.deepEqual(legacy, { standard: hyphens(standard), standardSrv: hyphens(standardSrv) });
    const both = [...hostsIn(standard), ...hostsIn(legacy.standard)].sort();
    assert.deepEqual(await writes(legacy.standardSrv), both);
    await assert.rejects(resolver.resolve4('quay-shard-00-00-000000.harbour.test'), { code: 'ENOTFOUND' });
    const host = `quay-shard-00-00-${mark}.harbour.test`;
    for (const name of [host, hyphens(host).replace(`-${mark}`, `.${mark}`)]) {
      const { accessLogs } = expectStatus<{ accessLogs: { hostname: string }[] }>(
        await setup.owner.get(`${project}/dbAccessHistory/processes/${name}`),
        200,
      );
      assert.ok(accessLogs.length > 0);
    }
  });

  test('clusters on AWS have private names while custom DNS is enabled', async () => {
    const project = await newProject(setup);
    const path = `${project}/awsCustomDNS`;
    const enabled = async () => expectStatus(await setup.owner.get(path), 200).enabled;
    assert.equal(await enabled(), false);
    const cluster = await newCluster(setup, project, 'pier');
    await allowAccess(setup, project, cluster);
    const changed = withoutOrigins(expectStatus(await setup.owner.patch(path, { enabled: true }), 200));
    assert.deepEqual(changed, { enabled: true, links: linksTo(path) });
    assert.equal(await enabled(), true);
    const strings = stringsOf(await idle(setup.owner, cluster));
    assert.match(strings.private ?? '', /^mongodb:\/\/pier-pri-shard-00-00\.\w{6}\.harbour\.test:\d+,/i);
    assert.match(strings.privateSrv ?? '', /^mongodb\+srv:\/\/pier-pri\.\w{6}\.harbour\.test\//i);
    const own = [...hostsIn(strings.private ?? ''), ...hostsIn(strings.standard)].sort();
    assert.deepEqual(await writes(strings.privateSrv ?? ''), own);
    const at = { providerName: 'GCP', instanceSizeName: 'M10', regionName: 'CENTRAL_US' };
    const elsewhere = await newCluster(setup, project, 'elsewhere', { providerSettings: at });
    assert.equal(stringsOf(await idle(setup.owner, elsewhere)).private, undefined);
    expectStatus(await setup.owner.patch(path, { enabled: false }), 200);
    const { private: hosts, privateSrv } = stringsOf(await idle(setup.owner, cluster));
    assert.deepEqual([hosts, privateSrv], [undefined, undefined]);
    await assert.rejects(writes(strings.privateSrv ?? ''), { code: 'ENOTFOUND' });
  });
});

describe('names below a domain, over TLS (SQLite, one instance)', () => {
  const setup = {} as Setup;
  const resolver = new dns.promises.Resolver({ timeout: RESPONSE_MS });
  const former = dns.getServers();
  const scope = scopeOf({ after });
  before(async () => {
    const port = await freePort();
    const settings = { domain: 'harbour.test', 'dns-listen': `127.0.0.1:${port}`, 'engine-tls': true };
    Object.assign(setup, await openSetup(scope, 'SQLite, one instance', { settings }));
    resolver.setServers([`127.0.0.1:${port}`]);
    dns.setServers([`127.0.0.1:${port}`]);
  });
  after(() => dns.setServers(former));

  test('members present a certificate with their names, including those of new projects', async () => {
    const [{ authority } = { authority: undefined }] = setup.instances;
    assert.ok(authority);
    const presents = async (host: string, port: number) =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, servername: host, ca: authority });
        socket.once('secureConnect', () => resolve(socket.destroy() && true));
        socket.once('error', () => resolve(false));
      });
    for (const name of ['first', 'second']) {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, name);
      // Without an access list entry for this machine, members close the connection before the handshake.
      await allowAccess(setup, project, cluster);
      const newest = stringsOf(await idle(setup.owner, cluster));
      const reply = await setup.owner.get(`/api/service/v1.0${cluster}`);
      const legacy = stringsOf(expectStatus<ClusterDocument>(reply, 200));
      assert.match(newest.standardSrv, /^mongodb\+srv:\/\/\w+\.\w{6}\.harbour\.test$/);
      for (const { standard } of [newest, legacy]) {
        const [, host = '', port = ''] = /^mongodb:\/\/([^:]+):(\d+)/.exec(standard) ?? [];
        assert.ok(
          await until(
            host,
            () => presents(host, Number(port)),
            (good) => good,
          ),
        );
      }
      assert.equal(
        await presents('elsewhere.test', Number(/:(\d+)/.exec(newest.standard.slice(10))?.[1])),
        false,
      );
    }
  });

  test('members announce each other in the name form that the driver used', async () => {
    const [{ authority } = { authority: undefined }] = setup.instances;
    const project = await newProject(setup);
    expectStatus(await setup.owner.patch(`${project}/awsCustomDNS`, { enabled: true }), 200);
    const cluster = await newCluster(setup, project, 'mole');
    await allowAccess(setup, project, cluster);
    const { standard, private: own = '' } = stringsOf(await idle(setup.owner, cluster));
    const reply = await setup.owner.get(`/api/service/v1.0${cluster}`);
    const legacy = stringsOf(expectStatus<ClusterDocument>(reply, 200));
    for (const url of [standard, legacy.standard, own, legacy.private ?? '']) {
      const options = { auth: SAILOR, lookup: lookupBy(resolver), ca: authority };
      const driver = new MongoClient(url, { ...options, ...LONG_TIMEOUTS });
      try {
        const { hosts, me, primary } = await driver.db('admin').command({ hello: 1 });
        assert.deepEqual(hosts, hostsIn(url));
        assert.deepEqual([me, primary], [hosts[0], hosts[0]]);
      } finally {
        await driver.close();
      }
    }
  });
});
