import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { connectionTo } from './support/http.ts';
import { freePort } from './support/ports.ts';
import { postgresDatabase } from './support/postgres.ts';
import {
  commonSettings,
  type Outcome,
  runCommand,
  type Settings,
  scopeOf,
  startService,
  temporaryFolder,
} from './support/service.ts';

/** Expects that a command exited with 1 and, apart from the log, printed one sentence. */
function expectRefusal({ code, out, err }: Outcome, sentence: RegExp): void {
  assert.equal(code, 1, err);
  const sentences = err.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  assert.equal(sentences.length, 1, err);
  assert.match(sentences[0] ?? '', sentence);
  assert.ok(!out.includes('ready'), out);
}

async function place(t: { after(run: () => unknown): void }) {
  const scope = scopeOf(t);
  const folder = await temporaryFolder(scope);
  const settings = await commonSettings(scope);
  return { scope, folder, dataDirectory: join(folder, 'data'), settings };
}

const newKey = () => `${randomBytes(32).toString('base64')}\n`;

test('a port in use', async (t) => {
  const { dataDirectory, settings, scope } = await place(t);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const refused = await runCommand('start', {
    ...settings,
    'data-dir': dataDirectory,
    listen: `127.0.0.1:${port}`,
  });
  expectRefusal(refused, new RegExp(`^portolan: .*127\\.0\\.0\\.1:${port}: the port is in use$`));
  assert.ok(!existsSync(join(dataDirectory, 'engine/host.json')), 'the engine host has ended, too');
  const service = await startService(scope, dataDirectory, settings);
  await service.stop();
});

test('a data directory that is not writable, or not a directory', async (t) => {
  const { folder, settings } = await place(t);
  const locked = join(folder, 'locked');
  mkdirSync(locked);
  chmodSync(locked, 0o555);
  chmodSync(folder, 0o755);
  // Run the command as an unprivileged account, since permissions do not apply to root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const inside = { ...settings, 'data-dir': join(locked, 'data') };
  expectRefusal(await runCommand('start', inside, { account }), /cannot be used: permission denied$/);
  const file = join(folder, 'file');
  writeFileSync(file, 'mine');
  expectRefusal(await runCommand('start', { ...settings, 'data-dir': file }), /it is not a directory$/);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
});

test('a data directory in use stays with the service that has it', async (t) => {
  const { dataDirectory, settings, scope } = await place(t);
  const service = await startService(scope, dataDirectory, settings);
  const bootstrap = readFileSync(join(dataDirectory, 'bootstrap.json'), 'utf8');
  const second = await runCommand('start', { ...settings, 'data-dir': dataDirectory });
  expectRefusal(second, new RegExp(`${dataDirectory} is in use by process ${service.pid}$`));
  assert.equal(readFileSync(join(dataDirectory, 'bootstrap.json'), 'utf8'), bootstrap);
  const connection = connectionTo(service.bootstrap.url, service.authority);
  t.after(() => connection.close());
  assert.equal((await connection.send({ method: 'GET', target: '/readyz' })).status, 200);

  const stopped = await runCommand('stop', { 'data-dir': dataDirectory });
  assert.deepEqual([stopped.code, stopped.out], [0, 'stopped\n']);
  await service.ended;
  assert.ok(!existsSync(join(dataDirectory, 'engine/host.json')));
  const none = await runCommand('stop', { 'data-dir': dataDirectory });
  expectRefusal(none, /^portolan: No service runs on the data directory /);
});

test('data of a newer version, or invalid data', async (t) => {
  const { dataDirectory, settings, scope } = await place(t);
  await (await startService(scope, dataDirectory, settings)).stop();
  const file = join(dataDirectory, 'portolan.sqlite');
  const change = (statement: string) => {
    using database = new DatabaseSync(file);
    database.exec(statement);
  };
  const start = () => runCommand('start', { ...settings, 'data-dir': dataDirectory });
  change("INSERT INTO migration (number, name, applied) VALUES (9999, 'flying ships', 0)");
  expectRefusal(await start(), /newer version of Portolan \(migration 9999, "flying ships"\)/);
  change('DELETE FROM migration WHERE number = 9999');
  await (await startService(scope, dataDirectory, settings)).stop();
  writeFileSync(file, 'no database at all, but a text that is long enough to be looked at');
  expectRefusal(await start(), /portolan\.sqlite/);
  assert.match(readFileSync(file, 'utf8'), /^no database/);
});

test('a database that cannot be used', async (t) => {
  const { folder, settings } = await place(t);
  const database = await postgresDatabase();
  t.after(() => database.drop());
  const key = join(folder, 'key');
  writeFileSync(key, newKey());
  const start = (url: string) =>
    runCommand('start', { ...settings, 'data-dir': join(folder, 'data'), database: url, 'secret-key': key });
  const [wrong, missing, away] = [new URL(database.url), new URL(database.url), new URL(database.url)];
  wrong.password = 'a-wrong-one';
  missing.pathname = '/missing';
  away.port = String(await freePort());
  for (const [url, sentence] of [
    ['mysql://user:hidden@127.0.0.1/x', /^portolan: --database takes a URL such as postgres:/],
    ['somewhere', /^portolan: --database takes a URL such as postgres:/],
    [wrong.href, /rejected the connection: password authentication failed/],
    [missing.href, /rejected the connection: database "missing" does not exist$/],
    [away.href, new RegExp(`127\\.0\\.0\\.1:${away.port} cannot be reached: connect ECONNREFUSED`)],
  ] as const) {
    const outcome = await start(url);
    expectRefusal(outcome, sentence);
    assert.ok(!outcome.err.includes('hidden') && !outcome.err.includes('a-wrong-one'), outcome.err);
  }
});

test('a secret key that does not match', async (t) => {
  const { folder, dataDirectory, settings, scope } = await place(t);
  const database = await postgresDatabase();
  t.after(() => database.drop());
  const [key, other] = [join(folder, 'key'), join(folder, 'other')];
  writeFileSync(key, newKey());
  const shared = { ...settings, database: database.url };
  await (await startService(scope, dataDirectory, { ...shared, 'secret-key': key })).stop();
  const start = (more: Settings) =>
    runCommand('start', { ...shared, 'data-dir': join(folder, 'second'), ...more });
  for (const [content, sentence] of [
    [newKey(), /secret key/],
    ['short', /does not contain 32 bytes as base64$/],
    [undefined, /cannot be read/],
  ] as const) {
    if (content !== undefined) writeFileSync(other, content);
    expectRefusal(
      await start({ 'secret-key': content === undefined ? join(folder, 'none') : other }),
      sentence,
    );
  }
  // Without the setting, the service creates a new key, which does not match either.
  expectRefusal(await start({}), /secret key/);
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query('SELECT count(*) FROM organization');
  await client.end();
  assert.deepEqual(rows, [{ count: '1' }]);
  await (await startService(scope, dataDirectory, { ...shared, 'secret-key': key })).stop();
});

test('invalid settings and commands', async (t) => {
  const { folder, settings } = await place(t);
  const inside = { 'data-dir': join(folder, 'data') };
  const outcomes = await Promise.all([
    runCommand('start', { ...inside, listen: 'nowhere' }),
    runCommand('start', inside, { environment: { PORTOLAN_LISTEN: 'nowhere' } }),
    runCommand('start', {
      ...settings,
      'data-dir': join(folder, 'other'),
      'public-key': 'ABC',
      'private-key': 'x',
    }),
    runCommand('start', { ...inside, listen: '127.0.0.1:0', 'tls-cert': 'c.pem', 'tls-key': 'k.pem' }),
    runCommand('sail', {}),
    runCommand('engine', { sail: true }),
    runCommand('tour', { sail: true }),
  ]);
  const sentences = [
    /^portolan: --listen takes HOST:PORT/,
    /^portolan: --listen takes HOST:PORT/,
    /public key has eight letters/,
    /c\.pem/,
    /^portolan: There is no command sail; see portolan help$/,
    /^portolan: Unknown option '--sail'\. See portolan help\.$/,
    /^portolan: tour takes no settings, but got --sail$/,
  ];
  for (const [index, outcome] of outcomes.entries()) expectRefusal(outcome, sentences[index] ?? /^$/);
  // The starts failed while the engine host was still starting. It has ended together with the service.
  assert.ok(!existsSync(join(folder, 'data/engine/host.json')));
  for (const command of ['help', '--help', '-h']) {
    const { code, out } = await runCommand(command, {});
    assert.deepEqual([code, out.slice(0, 30)], [0, 'usage: portolan start | stop |']);
  }
  for (const command of ['start', 'engine', 'link', 'state', 'tour']) {
    const { code, out } = await runCommand(command, { help: true });
    assert.deepEqual([code, out.slice(0, 11 + command.length)], [0, `portolan ${command}: `]);
  }
  assert.match(
    (await runCommand('link', { help: true })).out,
    /^ {2}--ca-file +a PEM file with the certificate authority/m,
  );
  for (const command of ['version', '--version', '-v'])
    assert.match((await runCommand(command, {})).out, /^portolan \d+\.\d+\.\d+ \([0-9a-f]{7}\), Node\.js v/);
});

test('only bootstrap.json contains secrets in clear, and only its owner can read it', async (t) => {
  const { dataDirectory, settings, scope } = await place(t);
  const service = await startService(scope, dataDirectory, settings);
  const { privateKey, clientSecret, operatorToken } = service.bootstrap;
  await service.stop();
  const files = readdirSync(dataDirectory, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  assert.ok(files.length > 3);
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    if (name === 'bootstrap.json' || name === 'secret.key') assert.equal(statSync(path).mode & 0o777, 0o600);
    if (name === 'bootstrap.json') continue;
    const content = readFileSync(path, 'latin1');
    for (const secret of [privateKey, clientSecret, operatorToken])
      assert.ok(!content.includes(secret), path);
  }
  assert.equal(statSync(dataDirectory).mode & 0o777, 0o700);
  assert.equal(dirname(service.bootstrap.caCertificate ?? ''), dataDirectory);
});

test('chosen keys, plain HTTP, and a directory that is deleted with the process', async (t) => {
  const { dataDirectory, settings, scope } = await place(t);
  const pair = { 'public-key': 'abcdefgh', 'private-key': '01234567-89ab-cdef-0123-456789abcdef' };
  const service = await startService(scope, dataDirectory, { ...settings, ...pair, 'plain-http': true });
  const { url, publicKey, privateKey, caCertificate } = service.bootstrap;
  assert.deepEqual([publicKey, privateKey], [pair['public-key'], pair['private-key']]);
  assert.deepEqual([new URL(url).protocol, caCertificate], ['http:', undefined]);
  const connection = connectionTo(url);
  const answer = await connection.send({ method: 'GET', target: '/api/service/v2/groups' });
  assert.equal(answer.status, 401);
  assert.equal(answer.headers.get('strict-transport-security'), null);
  await service.stop();
});
