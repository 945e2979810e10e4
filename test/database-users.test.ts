import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, type Setup } from './support/setups.ts';
import { idIn, type ListDocument, newProject, uniqueName, withoutOrigins } from './support/stage.ts';

const ABSENT = 'f'.repeat(24);
const READ = { roleName: 'read', databaseName: 'harbour' };
const HOUR_MS = 3_600_000;

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

const userBody = (username: string, change: object = {}) => ({
  username,
  databaseName: 'admin',
  password: 'correct horse',
  roles: [READ],
  ...change,
});

/** Returns the body for a user who authenticates with a certificate, so that no password has to be hashed. */
const certificateBody = (username: string, change: object = {}) => ({
  username,
  databaseName: '$external',
  x509Type: 'MANAGED',
  roles: [READ],
  ...change,
});

onOneSetup('PostgreSQL, two instances', 'database users', (setup) => {
  bodies(setup);
  passwords(setup);
  names(setup);
  races(setup);
});

function bodies(setup: Setup): void {
  test('a user is created, listed, changed and deleted; its password is never returned', async () => {
    const project = await newProject(setup);
    const users = `${project}/databaseUsers`;
    const labels = [{ key: 'watch', value: 'dog' }];
    const scopes = [{ name: 'fleet', type: 'CLUSTER' }];
    const { password, ...given } = userBody('ada', { description: 'first mate', labels, scopes });
    setup.keepOutOfLogs(password);
    const created = await setup.owner.post(users, { ...given, password });
    const { links, ...document } = expectStatus(created, 201);
    const types = { awsIAMType: 'NONE', ldapAuthType: 'NONE', oidcAuthType: 'NONE', x509Type: 'NONE' };
    assert.deepEqual(document, { ...given, ...types, groupId: idIn(project) });
    const self = `${users}/admin/ada`;
    assert.ok(JSON.stringify(links).includes(self));
    assert.ok(created.headers.get('location')?.endsWith(`/api/service/v2${self}`));
    const shown = withoutOrigins(created.json());
    assert.deepEqual(withoutOrigins(expectStatus(await setup.owner.get(self), 200)), shown);
    const { results, totalCount } = expectStatus<ListDocument>(await setup.owner.get(users), 200);
    assert.deepEqual([withoutOrigins(results), totalCount], [[shown], 1]);

    const roles = [READ, { roleName: 'readWrite', databaseName: 'harbour', collectionName: 'ports' }];
    const changed = expectStatus(await setup.owner.patch(self, { roles, scopes: [] }), 200);
    assert.deepEqual([changed.roles, changed.scopes, changed.labels], [roles, [], labels]);
    expectStatus(await setup.owner.patch(self, { password: 'another secret' }), 200);
    setup.keepOutOfLogs('another secret');
    expectStatus(await setup.owner.delete(self), 204);
    for (const call of [() => setup.owner.get(self), () => setup.owner.delete(self)]) {
      expectFault(await call(), 404, 'USERNAME_NOT_FOUND', ['ada']);
    }
    expectFault(await setup.owner.patch(self, {}), 404, 'USERNAME_NOT_FOUND', ['ada']);
    const events = expectStatus<ListDocument>(await setup.owner.get(`${project}/events`), 200).results;
    const about = events.filter(({ dbUserUsername }) => dbUserUsername === 'ada');
    assert.equal(about.length, 4);
  });

  test('an invalid body creates nothing', async () => {
    const project = await newProject(setup);
    const users = `${project}/databaseUsers`;
    const role = (roleName: string, databaseName: string, collectionName?: string) => ({
      roles: [{ roleName, databaseName, ...(collectionName === undefined ? {} : { collectionName }) }],
    });
    const cases: [body: object, code: string, parameters: unknown[]][] = [
      [userBody('u', { password: undefined }), 'MISSING_ATTRIBUTE', ['password']],
      [userBody('u', { username: undefined }), 'MISSING_ATTRIBUTE', ['username']],
      [
        userBody('u', { username: undefined, databaseName: undefined }),
        'MISSING_ATTRIBUTES',
        ['databaseName, username'],
      ],
      [userBody('u', { roles: [] }), 'MISSING_ATTRIBUTE', ['roles']],
      [userBody('u', { roles: undefined }), 'MISSING_ATTRIBUTE', ['roles']],
      [userBody('u', { roles: [READ, READ] }), 'DUPLICATE_DATABASE_ROLES', []],
      [userBody('u', { roles: [{ roleName: 'read' }] }), 'MISSING_ATTRIBUTE', ['roles.0.databaseName']],
      [userBody('u', role('sail', 'admin')), 'PLATFORM_INVALID_ROLE', ['sail']],
      [userBody('u', role('sail', 'harbour')), 'UNSUPPORTED_ROLE', ['sail', 'harbour']],
      [userBody('u', role('backup', 'harbour')), 'PLATFORM_INVALID_ROLE_DATABASE', ['backup', 'harbour']],
      [userBody('u', role('dbAdmin', 'harbour', 'x')), 'PLATFORM_RESTRICTED_COLLECTION', ['dbAdmin']],
      [userBody('u', { databaseName: '$external' }), 'DATABASE_NAME_INVALID_ADMIN', []],
      [userBody('u', { databaseName: 'harbour' }), 'INVALID_ENUM_VALUE', ['harbour']],
      [certificateBody('CN=u', { databaseName: 'admin' }), 'DATABASE_NAME_INVALID_EXTERNAL', []],
      [certificateBody('CN=u', { password: 'a password' }), 'PLATFORM_X509_USER_CANNOT_USE_SCRAM', []],
      [certificateBody('CN=u', { awsIAMType: 'USER' }), 'INVALID_ATTRIBUTE', ['x509Type']],
      [userBody('u', { password: 'Password1' }), 'COMMON_PASSWORD', []],
      [userBody('u', { password: 'abababab' }), 'WEAK_PASSWORD', []],
      [userBody('u', { password: 'cdefghij' }), 'WEAK_PASSWORD', []],
      [userBody('harbourmaster', { password: 'Harbourmaster' }), 'WEAK_PASSWORD', []],
      [userBody('__system'), 'BLOCKED_USERNAME', ['__system']],
      [userBody('..'), 'INVALID_ATTRIBUTE', ['username']],
      [userBody('u', role('root', 'admin')), 'PLATFORM_RESTRICTED_ROLE', ['root']],
      [userBody('u', role('dbOwner', 'harbour')), 'PLATFORM_RESTRICTED_ROLE', ['dbOwner']],
      [certificateBody('ada', { x509Type: 'CUSTOMER' }), 'PLATFORM_INVALID_USERNAME', ['ada']],
      [
        certificateBody('CN=ada,,O=x', { x509Type: 'CUSTOMER' }),
        'PLATFORM_INVALID_USERNAME',
        ['CN=ada,,O=x'],
      ],
      [
        certificateBody('ada', { x509Type: 'NONE', ldapAuthType: 'USER' }),
        'PLATFORM_INVALID_LDAP_NAME',
        ['ada'],
      ],
      [
        certificateBody('ada', { x509Type: 'NONE', awsIAMType: 'ROLE' }),
        'PLATFORM_INVALID_USERNAME',
        ['ada'],
      ],
      [
        certificateBody('arn:aws:iam::123456789012:user/ada', { x509Type: 'NONE', awsIAMType: 'ROLE' }),
        'PLATFORM_INVALID_USERNAME',
        ['arn:aws:iam::123456789012:user/ada'],
      ],
      [
        certificateBody('ada', { x509Type: 'NONE', oidcAuthType: 'USER' }),
        'PLATFORM_INVALID_USERNAME',
        ['ada'],
      ],
      [
        certificateBody('ada', { x509Type: 'NONE', oidcAuthType: 'IDP_GROUP' }),
        'DATABASE_NAME_INVALID_ADMIN',
        [],
      ],
      [
        certificateBody('CN=u', { deleteAfterDate: inHours(1) }),
        'PLATFORM_X509_USER_CANNOT_BE_TEMPORARY',
        [],
      ],
      [userBody('u', { groupId: ABSENT }), 'GROUP_MISMATCH', [ABSENT]],
      [userBody('u', { deleteAfterDate: 'soon' }), 'INVALID_DATE_FORMAT', ['soon']],
      [userBody('u', { deleteAfterDate: inHours(-1) }), 'EXPIRATION_DATE_IN_PAST', []],
      [userBody('u', { deleteAfterDate: inHours(8 * 24) }), 'EXPIRATION_DATE_EXCEEDS_MAX', [7]],
      [userBody('u', { scopes: [{ name: 'c', type: 'SHIP' }] }), 'INVALID_ENUM_VALUE', ['SHIP']],
    ];
    for (const [body, code, parameters] of cases) {
      expectFault(await setup.owner.post(users, body), 400, code, parameters);
    }
    for (const change of [{ password: 'short' }, { username: '' }, { description: 'x'.repeat(101) }]) {
      const reply = await setup.owner.post(users, userBody('u', change));
      assert.equal(expectStatus(reply, 400).errorCode, 'VALIDATION_ERROR');
    }
    assert.equal(expectStatus<ListDocument>(await setup.owner.get(users), 200).totalCount, 0);
  });
}

function passwords(setup: Setup): void {
  test('rejects passwords that drivers cannot send', async () => {
    const users = `${await newProject(setup)}/databaseUsers`;
    const good = [
      '\u{1f600} grins and \u{1fae0}',
      'p\u00e4ssw\u00f6rd \ufb01',
      '\u0627\u0628 \u062c\u062f\u0647\u0648\u0632\u062d\u0637',
    ];
    for (const [index, password] of good.entries()) {
      expectStatus(await setup.owner.post(users, userBody(`u${index}`, { password })), 201);
      expectStatus(await setup.owner.patch(`${users}/admin/u${index}`, { password }), 200);
    }
    const dropped = '\u00ad\u034f\u180b\u2060'.repeat(2);
    for (const character of ['\t', '\n', '\0', '\u007f', '\ue000', '\u0627', '\ufffd', dropped]) {
      const password = character === dropped ? dropped : `correct ${character} horse`;
      for (const reply of [
        await setup.owner.post(users, userBody('bad', { password })),
        await setup.owner.patch(`${users}/admin/u0`, { password }),
      ]) {
        const { errorCode, badRequestDetail, detail } = expectStatus(reply, 400);
        assert.equal(errorCode, 'VALIDATION_ERROR');
        assert.partialDeepStrictEqual(badRequestDetail, { fields: [{ field: 'password' }] });
        assert.ok(!String(detail).includes('horse'));
      }
    }
    assert.equal(expectStatus<ListDocument>(await setup.owner.get(users), 200).totalCount, good.length);
  });
}

function names(setup: Setup): void {
  test('each authentication method has its own form of user names', async () => {
    const users = `${await newProject(setup)}/databaseUsers`;
    const iam = { x509Type: 'NONE', awsIAMType: 'ROLE' };
    for (const body of [
      certificateBody('arn:aws:iam::123456789012:role/pilots', iam),
      certificateBody('CN=ada+UID=7,OU="Ships, Ports",O=Harbour', { x509Type: 'CUSTOMER' }),
      certificateBody('CN=crew,DC=harbour', { x509Type: 'NONE', ldapAuthType: 'GROUP' }),
      certificateBody('provider/ada', { x509Type: 'NONE', oidcAuthType: 'USER' }),
      certificateBody('provider/crew', {
        x509Type: 'NONE',
        oidcAuthType: 'IDP_GROUP',
        databaseName: 'admin',
      }),
    ]) {
      expectStatus(await setup.owner.post(users, body), 201);
    }
  });

  test('the identity of a user cannot be changed', async () => {
    const users = `${await newProject(setup)}/databaseUsers`;
    const self = `${users}/admin/bob`;
    expectStatus(await setup.owner.post(users, userBody('bob')), 201);
    const cases: [body: object, status: number, code: string, parameters: unknown[]][] = [
      [{ username: 'rob' }, 409, 'DATABASE_USERNAME_CANNOT_BE_CHANGED', []],
      [{ databaseName: '$external' }, 409, 'DATABASE_NAME_CANNOT_BE_CHANGED', []],
      [{ x509Type: 'MANAGED' }, 409, 'AUTH_TYPE_CANNOT_BE_CHANGED', []],
      [{ deleteAfterDate: inHours(1) }, 400, 'PERMANENT_ENTITY_CANNOT_BE_MADE_TEMPORARY', []],
      [{ groupId: ABSENT }, 400, 'GROUP_MISMATCH', [ABSENT]],
      [{ roles: [] }, 400, 'MISSING_ATTRIBUTE', ['roles']],
      [{ password: '12345678' }, 400, 'COMMON_PASSWORD', []],
    ];
    for (const [body, status, code, parameters] of cases) {
      expectFault(await setup.owner.patch(self, body), status, code, parameters);
    }
    const whole = expectStatus(await setup.owner.get(self), 200);
    assert.deepEqual(
      withoutOrigins(expectStatus(await setup.owner.patch(self, whole), 200)),
      withoutOrigins(whole),
    );
  });

  test('a name may contain any character that a path can carry, and is unique per database', async () => {
    const users = `${await newProject(setup)}/databaseUsers`;
    const username = 'CN=ada/lovelace, O="Analytical & Co."?%25';
    const created = await setup.owner.post(users, certificateBody(username));
    const [self] = expectStatus<{ links: { href: string }[] }>(created, 201).links;
    const path = `${users}/$external/${encodeURIComponent(username)}`;
    assert.ok(self?.href.endsWith(encodeURIComponent(username)));
    assert.equal(expectStatus(await setup.owner.get(path), 200).username, username);
    assert.equal(
      expectStatus(await setup.owner.get(new URL(self?.href ?? '').pathname), 200).username,
      username,
    );
    expectFault(await setup.owner.post(users, certificateBody(username)), 409, 'USER_ALREADY_EXISTS', [
      username,
    ]);
    expectStatus(await setup.owner.post(users, userBody(username)), 201);
  });
}

function races(setup: Setup): void {
  test('of many concurrent requests for one name, one succeeds', async () => {
    const users = `${await newProject(setup)}/databaseUsers`;
    const ask = () => setup.owner.post(users, certificateBody('CN=contested'));
    const replies = await Promise.all(Array.from({ length: 8 }, ask));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectFault(reply, 409, 'USER_ALREADY_EXISTS', ['CN=contested']);
    }
  });

  test('a project has at most a hundred users, even with concurrent requests', async () => {
    const users = `${await newProject(setup)}/databaseUsers`;
    const add = () => setup.owner.post(users, certificateBody(`CN=${uniqueName('sailor')}`));
    const replies = await Promise.all(Array.from({ length: 104 }, add));
    const refused = replies.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 4);
    for (const reply of refused) expectFault(reply, 403, 'GROUP_USERS_LIMIT_EXCEEDED', [100]);
    const { totalCount } = expectStatus<ListDocument>(await setup.owner.get(users), 200);
    assert.equal(totalCount, 100);
  });
}
