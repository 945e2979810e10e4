import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import {
  applied,
  clusterBody,
  idIn,
  type ListDocument,
  newCluster,
  newProject,
  withoutOrigins,
} from './support/stage.ts';

onOneSetup('PostgreSQL, two instances', 'networks', (setup) => {
  const containers = async (project: string, provider = 'AWS') => {
    const path = `${project}/containers?providerName=${provider}`;
    const { results } = expectStatus<ListDocument>(await setup.owner.get(path), 200);
    return results.map(({ platformCidrBlock, regionName }) => [platformCidrBlock, regionName]);
  };

  const vendorPost = async (path: string, { platformCidrBlock, ...body }: Record<string, unknown>) => {
    const accept = 'application/vnd.atlas.2023-01-01+json';
    const document = { ...body, atlasCidrBlock: platformCidrBlock };
    const reply = await setup.owner.send('POST', `/api/atlas/v2${path}`, document, { accept });
    return { body: reply.json() as Record<string, unknown> };
  };

  test('the first dedicated cluster of a region creates a network there', async () => {
    const project = await newProject(setup);
    await newCluster(setup, project, 'one');
    await newCluster(setup, project, 'two');
    assert.deepEqual(await containers(project), [['192.168.248.0/21', 'US_EAST_1']]);
    const google = { providerName: 'GCP', instanceSizeName: 'M10', regionName: 'CENTRAL_US' };
    await newCluster(setup, project, 'three', { providerSettings: google });
    assert.deepEqual(await containers(project, 'GCP'), [['192.168.240.0/21', undefined]]);
    const { results } = expectStatus<ListDocument>(
      await setup.owner.get(`${project}/containers?providerName=GCP`),
      200,
    );
    const { id, links } = results[0] as { id: string; links: { href: string }[] };
    assert.match(links[0]?.href ?? '', new RegExp(`${project}/containers/${id}$`));
    const one = expectStatus(await setup.owner.get(`${project}/containers/${id}`), 200);
    assert.deepEqual(withoutOrigins(one), withoutOrigins(results[0]));
    const other = await newProject(setup);
    const all = expectStatus<ListDocument>(await setup.owner.get(`${project}/containers/all`), 200);
    assert.deepEqual(all.results.map(({ providerName }) => providerName).toSorted(), ['AWS', 'GCP']);
    const absent = await setup.owner.get(`${other}/containers/${id}`);
    expectFault(absent, 404, 'CLOUD_PROVIDER_CONTAINER_NOT_FOUND', [id]);
    const free = {
      providerName: 'TENANT',
      backingProviderName: 'AZURE',
      instanceSizeName: 'M0',
      regionName: 'US_EAST_2',
    };
    await newCluster(setup, project, 'free', { providerSettings: free });
    assert.deepEqual(await containers(project, 'AZURE'), []);
  });

  test('a network has the block that was chosen before the first cluster, and is fixed while it is used', async () => {
    const project = await newProject(setup);
    const path = `${project}/containers`;
    const body = { providerName: 'AWS', platformCidrBlock: '10.8.0.0/21', regionName: 'US_EAST_1' };
    const { id, provisioned } = expectStatus(await setup.owner.post(path, body), 201);
    assert.equal(provisioned, false);
    const again = await setup.owner.post(path, { ...body, platformCidrBlock: '10.16.0.0/21' });
    expectFault(again, 409, 'CONTAINER_ALREADY_EXISTS', [idIn(project)]);
    const near = { ...body, regionName: 'EU_WEST_1', platformCidrBlock: '10.8.4.0/22' };
    expectFault(await setup.owner.post(path, near), 409, 'OVERLAPPING_PLATFORM_CIDR_BLOCK', ['10.8.4.0/22']);
    const open = { ...near, platformCidrBlock: '8.8.0.0/21' };
    expectFault(await setup.owner.post(path, open), 400, 'INVALID_ATTRIBUTE', ['platformCidrBlock']);
    const moved = await setup.owner.patch(`${path}/${id}`, { platformCidrBlock: '10.24.0.0/22' });
    assert.equal(expectStatus(moved, 200).platformCidrBlock, '10.24.0.0/22');
    await newCluster(setup, project, 'one');
    assert.deepEqual(await containers(project), [['10.24.0.0/22', 'US_EAST_1']]);
    assert.equal(expectStatus(await setup.owner.get(`${path}/${id}`), 200).provisioned, true);
    const used = ['clusters have nodes in it'];
    expectFault(await setup.owner.delete(`${path}/${id}`), 409, 'CONTAINERS_IN_USE', used);
    const block = { providerName: 'GCP', platformCidrBlock: '10.128.0.0/22' };
    const everywhere = await setup.owner.post(path, block);
    expectFault(everywhere, 400, 'INVALID_ATTRIBUTE', ['platformCidrBlock']);
    const two = await setup.owner.post(path, { ...block, regions: ['CENTRAL_US', 'US_EAST_4'] });
    expectFault(two, 400, 'INVALID_ATTRIBUTE', ['platformCidrBlock']);
    expectStatus(await setup.owner.post(path, { ...block, regions: ['CENTRAL_US'] }), 201);
    const google = { providerName: 'GCP', instanceSizeName: 'M10', regionName: 'EASTERN_US' };
    const outside = clusterBody('two', { providerSettings: google });
    expectFault(await setup.owner.post(`${project}/clusters`, outside), 400, 'INVALID_REGION', [
      'EASTERN_US',
      'GCP',
    ]);
  });

  test('peering connections are recorded, and wait to be accepted', async () => {
    const project = await newProject(setup);
    const block = { platformCidrBlock: '10.8.0.0/21', regionName: 'US_EAST_1' };
    const container = expectStatus(await setup.owner.post(`${project}/containers`, block), 201);
    const peers = `${project}/peers`;
    const body = {
      accepterRegionName: 'us-east-1',
      awsAccountId: '123456789012',
      containerId: container.id,
      providerName: 'AWS',
      routeTableCidrBlock: '172.31.0.0/16',
      vpcId: 'vpc-0a1b2c',
    };
    const { vpcId: _, ...partial } = body;
    expectFault(await setup.owner.post(peers, partial), 400, 'MISSING_ATTRIBUTE', ['vpcId']);
    const made = expectStatus(await setup.owner.post(peers, body), 201);
    assert.partialDeepStrictEqual(made, { ...body, connectionId: null, statusName: 'PENDING_ACCEPTANCE' });
    expectFault(await setup.owner.post(peers, body), 409, 'PEER_ALREADY_EXISTS', []);
    const one = `${peers}/${made.id}`;
    const moved = await setup.owner.patch(one, { ...body, routeTableCidrBlock: '10.8.1.0/24' });
    expectFault(moved, 409, 'OVERLAPPING_PLATFORM_CIDR_BLOCK', ['10.8.1.0/24']);
    const { results } = expectStatus<ListDocument>(await setup.owner.get(peers), 200);
    assert.deepEqual(
      results.map(({ id }) => id),
      [made.id],
    );
    const used = await setup.owner.delete(`${project}/containers/${container.id}`);
    expectFault(used, 409, 'CONTAINERS_IN_USE', ['it has peering connections']);
    expectStatus(await setup.owner.delete(one), 204);
    expectFault(await setup.owner.get(one), 404, 'PEER_NOT_FOUND', [String(made.id), idIn(project)]);
    expectStatus(await setup.owner.delete(`${project}/containers/${container.id}`), 204);
    const azure = { ...block, providerName: 'AZURE', regionName: undefined, region: 'US_EAST_2' };
    const { body: network } = await vendorPost(`${project}/containers`, azure);
    assert.equal(network.region, 'US_EAST_2');
  });

  test('private endpoints are recorded, and not connected', async () => {
    const base = `${await newProject(setup)}/privateEndpoint`;
    const body = { providerName: 'AWS', region: 'eu-west-1' };
    const made = expectStatus(await setup.owner.post(`${base}/endpointService`, body), 201);
    const { id, links: _, ...service } = made;
    assert.deepEqual(service, {
      cloudProvider: 'AWS',
      endpointServiceName: null,
      errorMessage: null,
      interfaceEndpoints: [],
      regionName: 'EU_WEST_1',
      status: 'WAITING_FOR_USER',
      supportedRemoteRegions: null,
    });
    const again = await setup.owner.post(`${base}/endpointService`, body);
    expectFault(again, 409, 'PRIVATE_ENDPOINT_SERVICE_ALREADY_EXISTS_FOR_REGION', ['EU_WEST_1']);
    const path = `${base}/AWS/endpointService/${id}`;
    expectFault(await setup.owner.post(`${path}/endpoint`, {}), 400, 'MISSING_ATTRIBUTE', ['id']);
    const endpoint = expectStatus(await setup.owner.post(`${path}/endpoint`, { id: 'vpce-0a1b' }), 201);
    assert.equal(endpoint.connectionStatus, 'REJECTED');
    assert.deepEqual(expectStatus(await setup.owner.get(path), 200).interfaceEndpoints, ['vpce-0a1b']);
    expectFault(await setup.owner.delete(path), 409, 'CANNOT_DELETE_PRIVATELINK_WITH_ENDPOINTS', []);
    const remote = (supportedRemoteRegions: string[] | null) =>
      setup.owner.patch(`${base}/endpointService/${id}`, { cloudProvider: 'AWS', supportedRemoteRegions });
    const updated = await remote(['US_WEST_1']);
    assert.deepEqual(expectStatus(updated, 200).supportedRemoteRegions, ['US_WEST_1']);
    expectFault(await remote(['us-west-1']), 400, 'INVALID_ATTRIBUTE', ['supportedRemoteRegions']);
    expectFault(await remote(['EU_WEST_1']), 400, 'CROSS_REGION_PRIVATE_LINK_SELF_REGION', ['EU_WEST_1']);
    const farther = {
      providerName: 'AZURE',
      region: 'EUROPE_NORTH',
      supportedRemoteRegions: ['EUROPE_WEST'],
    };
    const elsewhere = await setup.owner.post(`${base}/endpointService`, farther);
    expectFault(elsewhere, 400, 'PROVIDER_UNSUPPORTED', ['AZURE']);
    assert.deepEqual(expectStatus(await remote(null), 200).supportedRemoteRegions, []);
    assert.deepEqual(expectStatus(await setup.owner.delete(`${path}/endpoint/vpce-0a1b`), 202), {});
    const gone = await setup.owner.get(`${path}/endpoint/vpce-0a1b`);
    expectFault(gone, 404, 'PRIVATE_ENDPOINT_NOT_FOUND', ['vpce-0a1b']);
    assert.deepEqual(expectStatus(await setup.owner.delete(path), 202), {});
    assert.deepEqual(expectStatus(await setup.owner.get(`${base}/AWS/endpointService`), 200), []);
    const mode = await setup.owner.patch(`${base}/regionalMode`, { enabled: true });
    assert.equal(expectStatus(mode, 202).enabled, true);
    const azure = { providerName: 'AZURE', region: 'US_EAST_2' };
    const other = expectStatus(await setup.owner.post(`${base}/endpointService`, azure), 201);
    const name = '/subscriptions/a/providers/Microsoft.Network/privateEndpoints/pe';
    const endpoints = `${base}/AZURE/endpointService/${other.id}/endpoint`;
    const address = { id: name, privateEndpointIPAddress: '10.1.2.3' };
    expectStatus(await setup.owner.post(endpoints, address), 201);
    const malformed = { id: 'other', privateEndpointIPAddress: '1'.repeat(100_000) };
    expectStatus(await setup.owner.post(endpoints, malformed), 400);
    const read = await setup.owner.get(`${endpoints}/${encodeURIComponent(name)}`);
    assert.partialDeepStrictEqual(expectStatus(read, 200), {
      privateEndpointResourceId: name,
      status: 'FAILED',
    });
  });

  test('a project has a limited number of peering connections and private endpoints', async () => {
    const project = await newProject(setup);
    const network = { providerName: 'AZURE', region: 'US_EAST_2', platformCidrBlock: '10.8.0.0/21' };
    const container = expectStatus(await setup.owner.post(`${project}/containers`, network), 201);
    const names = { azureDirectoryId: 'a', azureSubscriptionId: 'b', resourceGroupName: 'c' };
    const peer = { containerId: container.id, providerName: 'AZURE', ...names };
    const addPeer = (at: number) => setup.owner.post(`${project}/peers`, { ...peer, vnetName: `net-${at}` });
    for (let at = 0; at < 100; at++) expectStatus(await addPeer(at), 201);
    expectFault(await addPeer(100), 400, 'PEERS_LIMIT_EXCEEDED', [100]);

    const base = `${project}/privateEndpoint`;
    expectStatus(await setup.owner.patch(`${base}/regionalMode`, { enabled: true }), 202);
    const service = { providerName: 'AWS', region: 'eu-west-1' };
    const addService = () => setup.owner.post(`${base}/endpointService`, service);
    const made: unknown[] = [];
    for (let at = 0; at < 50; at++) made.push(expectStatus(await addService(), 201).id);
    const tooMany = (what: string) => [50, what];
    expectFault(await addService(), 400, 'PRIVATE_ENDPOINTS_LIMIT_EXCEEDED', tooMany('endpoint services'));
    const addEndpoint = (at: number) =>
      setup.owner.post(`${base}/AWS/endpointService/${made[at % 2]}/endpoint`, { id: `vpce-${at}` });
    for (let at = 0; at < 50; at++) expectStatus(await addEndpoint(at), 201);
    expectFault(await addEndpoint(50), 400, 'PRIVATE_ENDPOINTS_LIMIT_EXCEEDED', tooMany('private endpoints'));
  });

  test('private IP mode can be enabled only before the first dedicated cluster, and disabled again', async () => {
    const project = await newProject(setup);
    const mode = `${project}/privateIpMode`;
    const tenant = { providerName: 'TENANT', backingProviderName: 'AWS', regionName: 'US_EAST_1' };
    const free = { name: 'free', providerSettings: { ...tenant, instanceSizeName: 'M0' } };
    expectStatus(await setup.owner.post(`${project}/clusters`, free), 201);
    assert.equal(expectStatus(await setup.owner.get(mode), 200).enabled, false);
    assert.equal(expectStatus(await setup.owner.patch(mode, { enabled: true }), 200).enabled, true);
    const long = 'a-name-of-twenty-four-ch';
    expectFault(
      await setup.owner.post(`${project}/clusters`, clusterBody(long)),
      400,
      'CLUSTER_NAME_TOO_LONG',
      [long, 23],
    );
    await newCluster(setup, project, 'short');
    assert.equal(expectStatus(await setup.owner.patch(mode, { enabled: false }), 200).enabled, false);
    expectFault(await setup.owner.patch(mode, { enabled: true }), 400, 'CANNOT_UPDATE_PRIVATE_IP_MODE', [
      idIn(project),
    ]);
  });

  test('the clusters of all projects are listed in one overview', async () => {
    // Turn off alerts, since they depend on the load of the machine.
    const project = await newProject(setup, { withDefaultAlertsSettings: false });
    await newCluster(setup, project, 'fleet');
    const { results } = expectStatus<ListDocument>(await setup.owner.get('/clusters?itemsPerPage=500'), 200);
    const own = results.find(({ groupId }) => groupId === idIn(project));
    assert.deepEqual([own?.planType, own?.tags, own?.orgId], ['Platform', [], setup.bootstrap.orgId]);
    const [cluster] = (own?.clusters ?? []) as Record<string, unknown>[];
    const { clusterId, dataSizeBytes, versions, ...rest } = cluster ?? {};
    assert.match(String(clusterId), /^[a-f0-9]{24}$/);
    assert.deepEqual([typeof dataSizeBytes, (versions as unknown[]).length], ['number', 1]);
    assert.deepEqual(rest, {
      alertCount: 0,
      authEnabled: true,
      availability: 'available',
      backupEnabled: false,
      name: 'fleet',
      nodeCount: 3,
      sslEnabled: false,
      type: 'REPLICA_SET',
    });
  });

  test('addresses of the nodes and of the control plane, and the state of access-list entries', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'fleet');
    const { groupId, services } = expectStatus(await setup.owner.get(`${project}/ipAddresses`), 200);
    assert.equal(groupId, idIn(project));
    const [{ clusterName, inbound }] = (services as { clusters: [Record<string, unknown>] }).clusters;
    assert.deepEqual([clusterName, inbound], ['fleet', ['127.0.0.1']]);
    const none = { aws: {}, azure: {}, gcp: {} };
    const control = expectStatus(await setup.owner.get('/unauth/controlPlaneIPAddresses'), 200);
    assert.deepEqual([control.inbound, control.outbound], [none, none]);
    expectStatus(await setup.owner.post(`${project}/accessList`, [{ ipAddress: '10.0.0.1' }]), 201);
    await applied(setup.owner, cluster);
    const status = `${project}/accessList/10.0.0.1/status`;
    assert.equal(expectStatus(await setup.owner.get(status), 200).STATUS, 'ACTIVE');
    const missing = `${project}/accessList/10.0.0.2/status`;
    expectFault(await setup.owner.get(missing), 404, 'PLATFORM_NETWORK_PERMISSION_ENTRY_NOT_FOUND', [
      '10.0.0.2',
      idIn(project),
    ]);
  });
});
