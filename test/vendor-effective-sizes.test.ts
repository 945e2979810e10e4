import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newProject } from './support/stage.ts';

/** Tests clusters that keep the requested sizes and disks, as clients of the vendor request it with a header. */

type Document = Readonly<Record<string, unknown>>;

const KEEPING = { 'use-effective-instance-fields': 'true' };
const KEEPING_SPECS = { 'use-effective-fields-replication-specs': 'true' };
const AWS = { providerName: 'AWS', regionName: 'US_EAST_1', priority: 7 };
const upTo = (maxInstanceSize: string) => ({ compute: { enabled: true, maxInstanceSize } });

/** Returns the only region in a list of specifications. */
const regionIn = (specs: unknown) => (specs as [{ regionConfigs: [Document] }])[0].regionConfigs[0];

onOneSetup('SQLite, one instance', 'requested and effective sizes of clusters', (setup) => {
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    setup.owner.send(method, `/api/atlas/v2${path}`, body, {
      accept: 'application/vnd.atlas.2024-10-23+json',
      headers,
    });
  const replication = (region: object) => ({
    replicationSpecs: [{ regionConfigs: [{ ...AWS, ...region }] }],
  });
  const create = async (
    path: string,
    name: string,
    specs: object,
    headers: Record<string, string> = KEEPING,
  ) =>
    expectStatus<Document>(
      await send('POST', path, { name, clusterType: 'REPLICASET', ...specs }, headers),
      201,
    );
  const change = async (path: string, body: object, headers = {}) =>
    expectStatus<Document>(await send('PATCH', path, body, headers), 200);
  const read = async (path: string, headers = {}) =>
    expectStatus<Document>(await send('GET', path, undefined, headers), 200);
  const idle = (path: string) =>
    until(
      'IDLE',
      () => read(path),
      ({ stateName }) => stateName === 'IDLE',
    );

  test('a scaled cluster keeps its sizes, and shows the requested sizes if the client asks for them', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const one = `${path}/quay`;
    const small = { instanceSize: 'M10', nodeCount: 3, diskSizeGB: 10, diskIOPS: 3000 };
    const large = { instanceSize: 'M20', nodeCount: 3, diskSizeGB: 15, diskIOPS: 3010 };
    const autoScaling = upTo('M40');
    const made = regionIn(
      (await create(path, 'quay', replication({ autoScaling, electableSpecs: small }))).replicationSpecs,
    );
    assert.deepEqual(made.electableSpecs, small);
    assert.deepEqual([made.readOnlySpecs, made.analyticsSpecs], [undefined, undefined]);
    const current = { ...small, ebsVolumeType: 'STANDARD' };
    assert.deepEqual(made.effectiveElectableSpecs, current);
    await idle(one);

    const changed = await change(one, replication({ autoScaling, electableSpecs: large }), KEEPING);
    const requested = regionIn(changed.replicationSpecs);
    assert.deepEqual([requested.electableSpecs, requested.effectiveElectableSpecs], [large, current]);
    assert.deepEqual(regionIn(changed.effectiveReplicationSpecs).electableSpecs, current);
    await idle(one);
    await change(one, { tags: [{ key: 'harbour', value: 'north' }] });
    await idle(one);
    // Read each document twice, since responses are cached.
    for (const headers of [{}, KEEPING, {}, KEEPING]) {
      const expected = headers === KEEPING ? large : current;
      const alone = regionIn((await read(one, headers)).replicationSpecs);
      assert.deepEqual([alone.electableSpecs, alone.effectiveElectableSpecs], [expected, current]);
      const { results } = await read(path, headers);
      assert.deepEqual(regionIn((results as [Document])[0].replicationSpecs).electableSpecs, expected);
    }

    const unscaled = { compute: { enabled: false }, diskGB: { enabled: false } };
    await change(one, replication({ autoScaling: unscaled, electableSpecs: large }), KEEPING);
    const applied = regionIn((await read(one)).replicationSpecs).electableSpecs;
    assert.partialDeepStrictEqual(applied, { instanceSize: 'M20', diskSizeGB: 15, diskIOPS: 3000 });
    await idle(one);
    await change(one, replication({ electableSpecs: { instanceSize: 'M30', nodeCount: 3 } }));
    const latest = regionIn((await read(one, KEEPING)).replicationSpecs).electableSpecs;
    assert.partialDeepStrictEqual(latest, { instanceSize: 'M30', diskSizeGB: 15, ebsVolumeType: 'STANDARD' });
  });

  test('the sizes of analytics nodes are kept only if these nodes are scaled', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const specs = (instanceSize: string) =>
      replication({
        autoScaling: { compute: { enabled: false } },
        analyticsAutoScaling: upTo('M40'),
        electableSpecs: { instanceSize, nodeCount: 3 },
        analyticsSpecs: { instanceSize, nodeCount: 1 },
      });
    const made = await create(path, 'quay', specs('M10'));
    assert.deepEqual(made.biConnector, { enabled: false, readPreference: 'secondary' });
    await idle(`${path}/quay`);
    const region = regionIn((await change(`${path}/quay`, specs('M20'), KEEPING)).replicationSpecs);
    const sizes = [region.effectiveElectableSpecs, region.effectiveAnalyticsSpecs, region.analyticsSpecs];
    assert.deepEqual(
      sizes.map((one) => (one as Document).instanceSize),
      ['M20', 'M10', 'M20'],
    );
  });

  test('autoscaling of analytics nodes alone does not scale the other nodes', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const analyticsSpecs = { instanceSize: 'M10', nodeCount: 1 };
    const electableSpecs = { instanceSize: 'M10', nodeCount: 3 };
    const region = { electableSpecs, analyticsSpecs, analyticsAutoScaling: upTo('M40') };
    const made = regionIn((await create(path, 'quay', replication(region), {})).replicationSpecs);
    const scaling = ({ autoScaling, analyticsAutoScaling }: Document) =>
      [autoScaling, analyticsAutoScaling].map(
        (one) => (one as { compute: { enabled: boolean } }).compute.enabled,
      );
    assert.deepEqual(scaling(made), [false, true]);
    await idle(`${path}/quay`);
    // The electable nodes keep their settings if a request contains only those of the analytics nodes.
    await change(`${path}/quay`, replication({ ...region, autoScaling: upTo('M30') }));
    await idle(`${path}/quay`);
    const changed = await change(
      `${path}/quay`,
      replication({ ...region, analyticsAutoScaling: { compute: { enabled: false } } }),
    );
    const [{ regionConfigs }] = changed.replicationSpecs as [{ regionConfigs: [Document] }];
    assert.partialDeepStrictEqual(regionConfigs[0], {
      autoScaling: { compute: { enabled: true, maxInstanceSize: 'M30' } },
    });
  });

  test('the sizes of a cluster with several shards are not kept, and analytics nodes have a size of their own', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const zone = (zoneName: string, regionName: string, instanceSize: string, more: object = {}) => ({
      zoneName,
      regionConfigs: [{ ...AWS, regionName, electableSpecs: { instanceSize, nodeCount: 3 }, ...more }],
    });
    const analyticsSpecs = { instanceSize: 'M10', nodeCount: 1 };
    const specs = [zone('west', 'US_EAST_1', 'M10'), zone('east', 'US_WEST_2', 'M20', { analyticsSpecs })];
    const made = await create(path, 'quay', { clusterType: 'GEOSHARDED', replicationSpecs: specs });
    const shown = (made.replicationSpecs as { regionConfigs: [Record<string, Document>] }[]).map(
      ({ regionConfigs: [{ electableSpecs, analyticsSpecs: analytics }] }) => [
        electableSpecs?.instanceSize,
        electableSpecs?.diskIOPS,
        analytics?.instanceSize,
      ],
    );
    assert.deepEqual(shown, [
      ['M10', 3000, 'M10'],
      ['M20', 3000, 'M10'],
    ]);
    expectStatus(await send('DELETE', `${path}/quay`), 202);
  });

  test('the specifications of all shards are shown as requested, next to the current ones', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const one = `${path}/quay`;
    const shard = (zoneName: string, instanceSize: string, more: object = {}) => {
      const electableSpecs = { instanceSize, nodeCount: 3 };
      const regionName = zoneName === 'west' ? 'US_WEST_2' : 'US_EAST_1';
      const region = { ...AWS, regionName, autoScaling: upTo('M60'), electableSpecs, ...more };
      return { zoneName, regionConfigs: [region] };
    };
    const sent = [shard('west', 'M30'), shard('east', 'M30'), shard('west', 'M30')];
    const body = { clusterType: 'GEOSHARDED', replicationSpecs: sent };
    const made = await create(path, 'quay', body, KEEPING_SPECS);
    const withoutReadOnly = (specs: unknown) =>
      (specs as { zoneName: string; regionConfigs: Document[] }[]).map(({ zoneName, regionConfigs }) => ({
        zoneName,
        regionConfigs: regionConfigs.map((region) =>
          Object.fromEntries(Object.entries(region).filter(([name]) => !name.startsWith('effective'))),
        ),
      }));
    assert.deepEqual(withoutReadOnly(made.replicationSpecs), sent);
    const current = made.effectiveReplicationSpecs as { id: string; zoneName: string }[];
    assert.deepEqual(
      current.map(({ zoneName }) => zoneName),
      ['west', 'west', 'east'],
    );
    const ids = (specs: unknown) => (specs as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(
      ids(made.replicationSpecs),
      [current[0], current[2], current[1]].map((entry) => entry?.id),
    );
    await idle(one);

    const larger = sent.map(({ zoneName }) => shard(zoneName, 'M40'));
    const changed = await change(one, { replicationSpecs: larger }, KEEPING_SPECS);
    assert.deepEqual(withoutReadOnly(changed.replicationSpecs), larger);
    const sizes = (specs: unknown) =>
      (specs as { regionConfigs: [{ electableSpecs: Document }] }[]).map(
        ({ regionConfigs: [{ electableSpecs }] }) => electableSpecs.instanceSize,
      );
    assert.deepEqual(sizes(changed.effectiveReplicationSpecs), ['M30', 'M30', 'M30']);
    assert.deepEqual(sizes((await read(one)).replicationSpecs), ['M30', 'M30', 'M30']);
    assert.deepEqual(sizes((await read(one, KEEPING_SPECS)).replicationSpecs), ['M40', 'M40', 'M40']);
    await idle(one);

    // A request without the header that changes autoscaling ends the difference.
    const unscaled = { autoScaling: { compute: { enabled: false }, diskGB: { enabled: false } } };
    await change(one, { replicationSpecs: sent.map(({ zoneName }) => shard(zoneName, 'M30', unscaled)) });
    const [first] = (await read(one, KEEPING_SPECS)).replicationSpecs as [{ regionConfigs: [Document] }];
    assert.deepEqual(first.regionConfigs[0].electableSpecs, first.regionConfigs[0].effectiveElectableSpecs);
    expectStatus(await send('DELETE', one), 202);
  });

  test('IOPS of a small general-purpose volume are ignored', async () => {
    const path = `${await newProject(setup)}/clusters`;
    const specs = (more: object) =>
      replication({ electableSpecs: { instanceSize: 'M20', nodeCount: 3, diskIOPS: 3010, ...more } });
    const body = { name: 'pier', clusterType: 'REPLICASET' };
    const named = await send('POST', path, { ...body, ...specs({ ebsVolumeType: 'STANDARD' }) });
    assert.equal(named.json().errorCode, 'CLUSTER_DISK_IOPS_INVALID');
    const neutral = await setup.owner.send(
      'POST',
      path,
      { ...body, ...specs({}) },
      {
        accept: 'application/vnd.service.2024-10-23+json',
      },
    );
    assert.equal(neutral.json().errorCode, 'CLUSTER_DISK_IOPS_INVALID');
    const made = await create(path, 'pier', specs({}), {});
    const { electableSpecs } = regionIn(made.replicationSpecs);
    assert.partialDeepStrictEqual(electableSpecs, { diskIOPS: 3000, ebsVolumeType: 'STANDARD' });
  });
});
