import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserSession } from './support/browser-session.ts';
import { expectFault, expectStatus, withinMinute } from './support/expect.ts';
import { documentsOf } from './support/generated/run.ts';
import { codeOf, wrongCode } from './support/one-time-codes.ts';
import { onOneSetup, own } from './support/setups.ts';
import { type ListDocument, newOrganization } from './support/stage.ts';
import { newPerson, newUser } from './support/users.ts';

const V2 = '/api/service/v2';
const CODES = '/console/one-time-codes';

onOneSetup('PostgreSQL, two instances', 'sessions of the console', (setup) => {
  test('a link logs in once, with the roles of an owner and the rights of the operator', async () => {
    const browser = new BrowserSession(setup);
    const opened = await browser.openLink();
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, './']);
    assert.match(opened.headers.get('set-cookie') ?? '', /; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const again = await new BrowserSession(setup).send(
      'GET',
      opened.url.slice(opened.url.indexOf('/console/')),
    );
    assert.deepEqual([again.status, again.headers.get('location')], [303, './#/login?link=invalid']);
    assert.equal(again.headers.get('set-cookie'), null);

    const { operator, user } = await browser.read();
    assert.equal(operator, true);
    const { results } = expectStatus<ListDocument<{ id: string }>>(
      await browser.send('GET', `${V2}/orgs`),
      200,
    );
    assert.ok(results.some(({ id }) => id === setup.bootstrap.orgId));
    const name = `deck ${user.id.slice(0, 4)} ${results.length}`;
    const body = { name, orgId: setup.bootstrap.orgId };
    const { id } = expectStatus<{ id: string }>(await browser.send('POST', `${V2}/groups`, body), 200);
    const events = expectStatus<ListDocument<{ eventTypeName: string; username?: string }>>(
      await browser.send('GET', `${V2}/groups/${id}/events`),
      200,
    );
    const created = events.results.find(({ eventTypeName }) => eventTypeName === 'GROUP_CREATED');
    assert.equal(created?.username, user.username);
    assert.equal((await browser.send('DELETE', `${V2}/groups/${id}`)).status, 204);
    expectStatus(await browser.send('GET', '/operator/v1/clock'), 200);
    const root = expectStatus<{ user: { id: string } }>(await browser.send('GET', V2), 200);
    assert.equal(root.user.id, user.id);
  });

  test('a login is the last authentication of its user', async () => {
    const { orgId } = setup.bootstrap;
    const person = await newPerson(setup, setup.owner, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const path = `${V2}/users/byName/${encodeURIComponent(person.username)}`;
    const lastAuth = async () => {
      const user = expectStatus<{ createdAt: string; lastAuth?: string }>(
        await setup.owner.get(path.slice(V2.length)),
        200,
      );
      return user.lastAuth !== undefined && user.lastAuth >= user.createdAt;
    };
    assert.equal(await lastAuth(), false);
    await new BrowserSession(setup).logIn(person.username, person.password);
    assert.equal(await lastAuth(), true);
  });

  test('one-time codes are needed once they are on, and each is accepted once', async () => {
    const { orgId } = setup.bootstrap;
    const person = await newPerson(setup, setup.owner, [{ orgId, roleName: 'ORG_MEMBER' }]);
    const { username, password } = person;
    const [browser, other] = [new BrowserSession(setup), new BrowserSession(setup)];
    for (const one of [browser, other]) {
      await one.logIn(username, password);
      await one.read();
    }
    const logIn = (code?: string) =>
      new BrowserSession(setup).send('POST', '/console/session', { username, password, code });
    const post = (path: string, body: object) => browser.send('POST', `${CODES}${path}`, body);
    expectFault(await post('', { password: 'not it' }), 401, 'INVALID_LOGIN');
    const { secret } = expectStatus<{ secret: string }>(await post('', { password }), 200);
    setup.keepOutOfLogs(secret);
    expectFault(await post('/confirm', { code: wrongCode(secret) }), 401, 'INVALID_CODE');
    assert.equal((await logIn()).status, 204);
    const confirmed = await post('/confirm', { code: codeOf(secret) });
    const { recoveryCodes } = expectStatus<{ recoveryCodes: string[] }>(confirmed, 200);
    const [recovery = '', last = ''] = recoveryCodes;
    for (const code of recoveryCodes) setup.keepOutOfLogs(code);
    expectFault(await other.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    expectFault(await post('', { password }), 409, 'CODES_ALREADY_ON');

    expectFault(await logIn(), 401, 'CODE_REQUIRED');
    const next = codeOf(secret, 1);
    const answers = await Promise.all([logIn(next), logIn(next)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 401]);
    assert.equal((await logIn(recovery.toUpperCase())).status, 204);
    expectFault(await logIn(recovery), 401, 'INVALID_CODE');
    assert.deepEqual(expectStatus(await browser.send('GET', CODES), 200), {
      isOn: true,
      recoveryCodesLeft: 9,
    });
    assert.equal((await post('/turn-off', { password, code: last })).status, 204);
    const { results } = expectStatus<ListDocument<{ eventTypeName: string; targetUsername?: string }>>(
      await setup.owner.get(`/orgs/${orgId}/events?itemsPerPage=500`),
      200,
    );
    assert.deepEqual(
      results.flatMap((one) => (one.targetUsername === username ? one.eventTypeName : [])).toReversed(),
      ['JOINED_ORG', 'USER_ONE_TIME_CODES_TURNED_ON', 'USER_ONE_TIME_CODES_TURNED_OFF'],
    );
    assert.equal((await logIn()).status, 204);
    expectFault(await post('/confirm', { code: last }), 404, 'NO_CODES');
  });

  test('wrong one-time codes delay further attempts, and the operator turns codes off', async () => {
    const { orgId } = setup.bootstrap;
    const { id, statuses } = await withinMinute(async () => {
      const person = await newPerson(setup, setup.owner, [{ orgId, roleName: 'ORG_MEMBER' }]);
      const browser = new BrowserSession(setup);
      await browser.logIn(person.username, person.password);
      await browser.read();
      const created = await browser.send('POST', CODES, { password: person.password });
      const { secret } = expectStatus<{ secret: string }>(created, 200);
      setup.keepOutOfLogs(secret);
      const confirmed = await browser.send('POST', `${CODES}/confirm`, { code: codeOf(secret) });
      for (const code of expectStatus<{ recoveryCodes: string[] }>(confirmed, 200).recoveryCodes)
        setup.keepOutOfLogs(code);
      const login = { username: person.username, password: person.password, code: wrongCode(secret) };
      const found: number[] = [];
      for (let turn = 0; turn < 6; turn++)
        found.push((await new BrowserSession(setup).send('POST', '/console/session', login)).status);
      return { id: person.id, statuses: found };
    });
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
    const path = `/operator/v1/users/${id}/oneTimeCodes`;
    expectStatus(await setup.operator.delete(path), 204);
    expectFault(await setup.operator.delete(path), 404, 'NO_CODES');
  });

  test('a program that checks a link does not use it up', async () => {
    const url = await new BrowserSession(setup).newLink();
    const checked = await new BrowserSession(setup).send('HEAD', url);
    assert.equal(checked.headers.get('set-cookie'), null);
    const opened = await new BrowserSession(setup).send('GET', url);
    assert.ok(opened.headers.has('set-cookie'));
  });

  test('changes need the CSRF token of the session', async () => {
    const browser = new BrowserSession(setup);
    await browser.openLink();
    const { csrfToken } = await browser.read();
    for (const token of [undefined, '', 'x'.repeat(csrfToken.length)]) {
      browser.csrfToken = token;
      const change = await browser.send('POST', `${V2}/groups`, {
        name: 'forged',
        orgId: setup.bootstrap.orgId,
      });
      expectFault(change, 403, 'INVALID_CSRF_TOKEN');
      expectFault(await browser.send('PATCH', '/operator/v1/clock', {}), 403, 'INVALID_CSRF_TOKEN');
      expectFault(await browser.send('DELETE', '/console/session'), 403, 'INVALID_CSRF_TOKEN');
      expectStatus(await browser.send('GET', `${V2}/groups`), 200);
    }
  });

  test('no operation of the documents accepts a change without the CSRF token', async () => {
    const browser = new BrowserSession(setup);
    await browser.openLink();
    const changes = (await documentsOf(setup)).newest.operations.filter(
      ({ method, operation }) => method !== 'GET' && operation.security?.length !== 0,
    );
    assert.ok(changes.some(({ template }) => template === '/console/one-time-codes/turn-off'));
    for (const { method, template } of changes) {
      const reply = await browser.send(method, template.replaceAll(/\{\w+\}/g, 'a'.repeat(24)), {});
      assert.equal(reply.json().errorCode, 'INVALID_CSRF_TOKEN', `${method} ${template}: ${reply.text}`);
    }
  });

  test('a page without a session gets no challenge, at which browsers ask for a password', async () => {
    const browser = new BrowserSession(setup);
    await browser.openLink();
    await browser.read();
    const { cookie } = browser;
    assert.equal((await browser.send('DELETE', '/console/session')).status, 204);
    assert.equal(browser.cookie, undefined);
    browser.cookie = cookie;
    for (const path of [`${V2}/groups`, '/operator/v1/clock', '/console/session']) {
      const reply = await browser.send('GET', path);
      expectFault(reply, 401, 'NOT_LOGGED_IN');
      assert.equal(reply.headers.get('www-authenticate'), null);
    }
    browser.csrfToken = undefined;
    const plain = await browser.send('GET', `${V2}/groups`);
    assert.match(plain.headers.get('www-authenticate') ?? '', /^Digest/);
  });

  test('people log in with their password, and have only their own roles', async () => {
    const { key, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
    const { username, password } = await newPerson(setup, key, [{ orgId, roleName: 'ORG_READ_ONLY' }]);
    const browser = new BrowserSession(setup);
    expectFault(await browser.logIn(username, 'not it'), 401, 'INVALID_LOGIN');
    expectFault(await browser.logIn('nobody@example.org', password), 401, 'INVALID_LOGIN');
    assert.equal((await browser.logIn(username.toUpperCase(), password)).status, 204);
    const { operator, user } = await browser.read();
    assert.deepEqual([operator, user.username], [false, username]);
    const orgs = expectStatus<ListDocument<{ id: string }>>(await browser.send('GET', `${V2}/orgs`), 200);
    assert.deepEqual(
      orgs.results.map(({ id }) => id),
      [orgId],
    );
    expectFault(
      await browser.send('POST', `${V2}/groups`, { name: 'no', orgId }),
      401,
      'NOT_ORG_GROUP_CREATOR',
      [orgId],
    );
    for (const { method, template } of (await documentsOf(setup)).newest.operations) {
      if (!template.startsWith('/operator/')) continue;
      const path = template.replaceAll(/\{\w+\}/g, 'a'.repeat(24));
      expectFault(await browser.send(method, path, method === 'GET' ? undefined : {}), 401, 'UNAUTHORIZED');
    }
    const foreign = await browser.send('GET', `${V2}/orgs/${setup.bootstrap.orgId}`);
    expectFault(foreign, 401, 'USER_CANNOT_ACCESS_ORG');
  });

  test('sessions are listed and ended, and end with their user', async () => {
    const { orgId } = setup.bootstrap;
    const roles = [{ orgId, roleName: 'ORG_MEMBER' }];
    const { id: userId, username, password } = await newPerson(setup, setup.owner, roles);
    const [one, other] = [new BrowserSession(setup), new BrowserSession(setup)];
    for (const browser of [one, other]) {
      assert.equal((await browser.logIn(username, password)).status, 204);
      await browser.read();
    }
    const list = expectStatus<ListDocument<{ id: string; current: boolean }>>(
      await one.send('GET', '/console/sessions'),
      200,
    );
    assert.deepEqual(list.results.map(({ current }) => current).toSorted(), [false, true]);
    const ended = list.results.find(({ current }) => !current)?.id ?? '';
    assert.equal((await one.send('DELETE', `/console/sessions/${ended}`)).status, 204);
    expectFault(await other.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
    const stranger = new BrowserSession(setup);
    await stranger.openLink();
    await stranger.read();
    const theirs = list.results.find(({ current }) => current)?.id ?? '';
    expectFault(await stranger.send('DELETE', `/console/sessions/${theirs}`), 404, 'SESSION_NOT_FOUND', [
      theirs,
    ]);
    expectStatus(await one.send('GET', `${V2}/orgs`), 200);
    expectStatus(await setup.owner.delete(`/orgs/${orgId}/users/${userId}`), 204);
    const orgs = expectStatus<ListDocument<object>>(await one.send('GET', `${V2}/orgs`), 200);
    assert.deepEqual(orgs.results, []);
  });

  test('a new login replaces the session of the browser', async () => {
    const browser = new BrowserSession(setup);
    await browser.openLink();
    const { cookie } = browser;
    await browser.openLink();
    assert.notEqual(browser.cookie, cookie);
    browser.cookie = cookie;
    expectFault(await browser.send('GET', '/console/session'), 401, 'NOT_LOGGED_IN');
  });

  test('a wrong password counts for each spelling of the user name', async () => {
    const statuses = await withinMinute(async (count) => {
      const username = `nobody.at.all.${count}@example.org`;
      const spellings = [...username.slice(0, 6)].map((letter) =>
        username.replace(letter, letter.toUpperCase()),
      );
      const found: number[] = [];
      for (const spelling of spellings)
        found.push((await new BrowserSession(setup).logIn(spelling, 'not it')).status);
      return found;
    });
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  });

  test('a login that is in progress when one-time codes are turned on opens no session without a code', async () => {
    const roles = [{ orgId: setup.bootstrap.orgId, roleName: 'ORG_MEMBER' }];
    const { username, password } = await newPerson(setup, setup.owner, roles);
    const browser = new BrowserSession(setup);
    await browser.logIn(username, password);
    await browser.read();
    const created = await browser.send('POST', CODES, { password });
    const { secret } = expectStatus<{ secret: string }>(created, 200);
    setup.keepOutOfLogs(secret);
    const others = Array.from({ length: 4 }, () => new BrowserSession(setup));
    const [confirmed] = await Promise.all([
      browser.send('POST', `${CODES}/confirm`, { code: codeOf(secret) }),
      ...others.map((other) => other.logIn(username, password)),
    ]);
    const { recoveryCodes } = expectStatus<{ recoveryCodes: string[] }>(confirmed, 200);
    for (const code of recoveryCodes) setup.keepOutOfLogs(code);
    for (const other of others)
      assert.equal((await other.send('GET', '/console/session')).status, 401, 'a session without a code');
  });

  test('too many wrong passwords delay further attempts', async () => {
    const statuses = await withinMinute(async () => {
      const { username } = await newUser(setup, setup.owner, [
        { orgId: setup.bootstrap.orgId, roleName: 'ORG_MEMBER' },
      ]);
      const browser = new BrowserSession(setup);
      const found: number[] = [];
      while (found.length < 10 && found.at(-1) !== 429)
        found.push((await browser.logIn(username, 'not it')).status);
      return found;
    });
    // An instance learns of the attempts at the other one only when it counts the next attempt.
    assert.equal(statuses.at(-1), 429);
    assert.deepEqual(new Set(statuses.slice(0, -1)), new Set([401]));
  });
});

own.onOneSetup(
  'SQLite, one instance',
  'attempts from many addresses',
  (setup) => {
    test('are counted together if their password is right and their code is wrong', async () => {
      const roles = [{ orgId: setup.bootstrap.orgId, roleName: 'ORG_MEMBER' }];
      const statuses = await withinMinute(async () => {
        const { username, password } = await newPerson(setup, setup.owner, roles);
        const browser = new BrowserSession(setup);
        await browser.logIn(username, password);
        await browser.read();
        const created = await browser.send('POST', CODES, { password });
        const { secret } = expectStatus<{ secret: string }>(created, 200);
        setup.keepOutOfLogs(secret);
        const confirmed = await browser.send('POST', `${CODES}/confirm`, { code: codeOf(secret) });
        const { recoveryCodes } = expectStatus<{ recoveryCodes: string[] }>(confirmed, 200);
        for (const code of recoveryCodes) setup.keepOutOfLogs(code);
        const found: number[] = [];
        for (let turn = 1; turn <= 6; turn++) {
          const headers = { 'x-forwarded-for': `203.0.113.${turn}` };
          const login = { username, password, code: wrongCode(secret) };
          const { status } = await new BrowserSession(setup).send('POST', '/console/session', login, headers);
          found.push(status);
        }
        return found;
      });
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    });
  },
  { settings: { 'trusted-proxies': '127.0.0.1' } },
);

own.onOneSetup(
  'SQLite, one instance',
  'a service without a console',
  (setup) => {
    test('has none of its paths', async () => {
      const browser = new BrowserSession(setup);
      for (const path of ['/', '/console', '/console/session', '/console/login?token=x'])
        assert.equal((await browser.send('GET', path, undefined, { accept: 'text/html' })).status, 401, path);
    });
  },
  { settings: { 'no-console': true } },
);
