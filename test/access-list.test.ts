import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, type ListDocument, newProject, withoutOrigins } from './support/stage.ts';

interface EntryDocument {
  readonly cidrBlock: string;
  readonly ipAddress?: string;
  readonly comment: string;
  readonly links: readonly { readonly href: string }[];
}

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

onOneSetup('SQLite, one instance', 'access list', (setup) => {
  const add = (project: string, ...entries: object[]) => setup.owner.post(`${project}/accessList`, entries);
  const entriesIn = (reply: Reply, status: number) =>
    expectStatus<ListDocument<EntryDocument>>(reply, status);

  test('addresses and blocks are added, found by either form, and removed', async () => {
    const project = await newProject(setup);
    const list = `${project}/accessList`;
    const added = entriesIn(
      await add(
        project,
        { ipAddress: '192.0.2.7', comment: 'the pilot' },
        { cidrBlock: '198.51.100.0/24' },
        { ipAddress: '2001:db8:0:0::1' },
      ),
      201,
    );
    const shown = added.results.map(({ links: _, ...entry }) => entry);
    const groupId = idIn(project);
    assert.deepEqual(shown, [
      { cidrBlock: '192.0.2.7/32', comment: 'the pilot', groupId, ipAddress: '192.0.2.7' },
      { cidrBlock: '198.51.100.0/24', comment: '', groupId },
      { cidrBlock: '2001:db8::1/128', comment: '', groupId, ipAddress: '2001:db8:0:0::1' },
    ]);
    assert.equal(added.totalCount, 3);
    for (const [value, cidr] of [
      ['192.0.2.7', '192.0.2.7/32'],
      ['192.0.2.7%2F32', '192.0.2.7/32'],
      ['198.51.100.0%2F24', '198.51.100.0/24'],
      ['2001:db8::1', '2001:db8::1/128'],
    ]) {
      assert.equal(
        expectStatus<EntryDocument>(await setup.owner.get(`${list}/${value}`), 200).cidrBlock,
        cidr,
      );
    }
    for (const { links } of added.results) {
      const reply = await setup.owner.get(new URL(links[0]?.href ?? '').pathname);
      expectStatus(reply, 200);
    }
    const listed = entriesIn(await setup.owner.get(list), 200);
    assert.deepEqual(withoutOrigins(listed.results), withoutOrigins(added.results));

    expectStatus(await setup.owner.delete(`${list}/198.51.100.0%2F24`), 204);
    const missing = ['198.51.100.0/24', groupId];
    for (const method of ['GET', 'DELETE']) {
      const reply = await setup.owner.send(method, `${list}/198.51.100.0%2F24`);
      expectFault(reply, 404, 'PLATFORM_NETWORK_PERMISSION_ENTRY_NOT_FOUND', missing);
    }
    const noAddress = await setup.owner.get(`${list}/harbour`);
    expectFault(noAddress, 404, 'PLATFORM_NETWORK_PERMISSION_ENTRY_NOT_FOUND', ['harbour', groupId]);
    assert.equal(entriesIn(await setup.owner.get(list), 200).totalCount, 2);
  });

  test('an existing entry is updated, and a response can be sent back', async () => {
    const project = await newProject(setup);
    entriesIn(await add(project, { ipAddress: '192.0.2.7', comment: 'old' }), 201);
    const [entry] = entriesIn(await add(project, { cidrBlock: '192.0.2.7/32', comment: 'new' }), 201).results;
    assert.equal(entry?.comment, 'new');
    const again = entriesIn(await add(project, { ...entry, ipAddress: '192.0.2.7' }), 201);
    assert.deepEqual([again.totalCount, again.results[0]?.comment], [1, 'new']);
    const { results } = expectStatus<ListDocument>(await setup.owner.get(`${project}/events`), 200);
    const added = results.filter(({ eventTypeName }) => eventTypeName === 'NETWORK_PERMISSION_ENTRY_ADDED');
    assert.equal(added.length, 1);
  });

  test('an invalid body adds nothing', async () => {
    const project = await newProject(setup);
    const ipAddress = '192.0.2.7';
    const several = 'MULTIPLE_VALUES_SPECIFIED_FOR_ONE_NETWORK_PERMISSION_ENTRY';
    const peering = 'CANNOT_USE_AWS_SECURITY_GROUP_WITHOUT_VPC_PEERING_CONNECTION';
    const cases: [entries: object[], code: string, parameters: unknown[]][] = [
      [[{ ipAddress, cidrBlock: '198.51.100.0/24' }], several, []],
      [[{ ipAddress, awsSecurityGroup: 'sg-1' }], several, []],
      [[{}], 'MISSING_ONE_OF_MANY_ATTRIBUTES', [['ipAddress', 'cidrBlock', 'awsSecurityGroup']]],
      [[{ awsSecurityGroup: 'sg-1' }], peering, []],
      [
        [{ awsSecurityGroup: 'sg-1', deleteAfterDate: '2099-01-01T00:00:00Z' }],
        'NETWORK_PERMISSION_EXPIRATION_NOT_SUPPORTED',
        [],
      ],
      [[{ ipAddress, comment: 'x'.repeat(81) }], 'INVALID_NETWORK_PERMISSION_COMMENT', []],
      [[{ ipAddress: '192.0.2' }], 'INVALID_IP_ADDRESS_OR_CIDR_NOTATION', ['192.0.2']],
      [[{ ipAddress: '192.0.2.0/24' }], 'INVALID_IP_ADDRESS_OR_CIDR_NOTATION', ['192.0.2.0/24']],
      [[{ cidrBlock: '192.0.2.0/33' }], 'INVALID_IP_ADDRESS_OR_CIDR_NOTATION', ['192.0.2.0/33']],
      [[{ ipAddress }, { cidrBlock: `${ipAddress}/32` }], 'DUPLICATE_ADDRESSES_IN_INPUT', []],
      [[{ ipAddress, deleteAfterDate: inHours(-1) }], 'EXPIRATION_DATE_IN_PAST', []],
      [[{ ipAddress, deleteAfterDate: inHours(7 * 24 + 1) }], 'EXPIRATION_DATE_EXCEEDS_MAX', [7]],
      [[{ ipAddress }, { cidr: '1' }], 'INVALID_ATTRIBUTE', ['1.cidr']],
    ];
    for (const [entries, code, parameters] of cases) {
      expectFault(await add(project, ...entries), 400, code, parameters);
    }
    const elsewhere = 'f'.repeat(24);
    const foreign = await add(
      project,
      { ipAddress, groupId: idIn(project) },
      { ipAddress, groupId: elsewhere },
    );
    expectFault(foreign, 400, 'GROUP_MISMATCH', [elsewhere]);
    assert.equal(expectStatus(await add(project), 400).errorCode, 'VALIDATION_ERROR');
    expectFault(await setup.owner.post(`${project}/accessList`, { ipAddress }), 400, 'INVALID_JSON');
    assert.equal(entriesIn(await setup.owner.get(`${project}/accessList`), 200).totalCount, 0);
  });

  test('a permanent entry cannot be given an expiry', async () => {
    const project = await newProject(setup);
    const ipAddress = '192.0.2.7';
    entriesIn(await add(project, { ipAddress }), 201);
    const temporary = await add(project, { ipAddress, deleteAfterDate: inHours(1) });
    expectFault(temporary, 400, 'PERMANENT_ENTITY_CANNOT_BE_MADE_TEMPORARY');
    const other = { ipAddress: '192.0.2.8', deleteAfterDate: inHours(1) };
    const { results } = entriesIn(await add(project, other), 201);
    assert.ok('deleteAfterDate' in (results[1] ?? {}));
    const stays = entriesIn(await add(project, { ipAddress: '192.0.2.8' }), 201).results;
    assert.ok(!('deleteAfterDate' in (stays[1] ?? {})));
  });

  test('a list holds two hundred entries, even with concurrent requests', async () => {
    const project = await newProject(setup);
    const addresses = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => ({ ipAddress: `192.0.2.${from + index}` }));
    entriesIn(await add(project, ...addresses(198, 0)), 201);
    const replies = await Promise.all(addresses(5, 200).map((entry) => add(project, entry)));
    const refused = replies.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 3);
    for (const reply of refused)
      expectFault(reply, 403, 'PLATFORM_NETWORK_PERMISSIONS_LIMIT_EXCEEDED', [200]);
    expectFault(
      await add(project, ...addresses(1, 100), ...addresses(1, 250)),
      403,
      'PLATFORM_NETWORK_PERMISSIONS_LIMIT_EXCEEDED',
      [200],
    );
    assert.equal(entriesIn(await setup.owner.get(`${project}/accessList`), 200).totalCount, 200);
    // Adding an entry that already exists does not count against the limit.
    entriesIn(await add(project, { ipAddress: '192.0.2.1', comment: 'still' }), 201);
  });
});
