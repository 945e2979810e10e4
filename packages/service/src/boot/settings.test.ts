import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ConfigError } from '@portolan/foundation/command-line';
import { environmentName, readConfig } from './settings.ts';

/** Writes a settings file with this content; returns its path. */
function settingsFile(t: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-config-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'settings.json');
  writeFileSync(file, content);
  return file;
}

/** Reads settings, ignoring the file `./portolan.json`. */
function read(t: TestContext, args: readonly string[], environment: NodeJS.ProcessEnv = {}, file = {}) {
  const config = settingsFile(t, JSON.stringify(file));
  return readConfig([...args, '--config', config], environment);
}

test('flags override the environment, which overrides the file, which overrides defaults', (t) => {
  const args = ['--domain', 'flag.example'];
  const environment = { PORTOLAN_DOMAIN: 'environment.example', PORTOLAN_LISTEN: '127.0.0.1:1' };
  const file = { domain: 'file.example', listen: '127.0.0.1:2', 'log-level': 'warn' };
  const config = read(t, args, environment, file);
  assert.equal(config.domain, 'flag.example');
  assert.deepEqual(config.listen, { host: '127.0.0.1', port: 1 });
  assert.equal(config['log-level'], 'warn');
  assert.equal(config['data-dir'], './portolan-data');
  assert.deepEqual(config['engine-ports'], { from: 20_000, to: 29_999, first: 27_100 });
  assert.deepEqual([config.database, config['plain-http']], [undefined, false]);
  assert.equal(environmentName('data-dir'), 'PORTOLAN_DATA_DIR');
});

test('each kind of value is parsed', (t) => {
  const environment = { PORTOLAN_STRICT_VERSIONS: 'on', PORTOLAN_EPHEMERAL: '0' };
  const file = { 'trusted-proxies': ['10.0.0.0/8', '192.0.2.1'], 'plain-http': true };
  const flags = [
    '--listen',
    '[::1]:8443',
    '--rate-limited',
    'getRoot, Clusters,',
    '--public-url',
    'https://h/',
    '--dns-servers',
    '192.0.2.1, [2001:db8::1]:5353',
  ];
  const config = read(t, flags, environment, file);
  assert.deepEqual(config.listen, { host: '::1', port: 8443 });
  assert.deepEqual(config['rate-limited'], ['getRoot', 'Clusters']);
  assert.deepEqual(config['trusted-proxies'], ['10.0.0.0/8', '192.0.2.1']);
  assert.deepEqual(config['dns-servers'], ['192.0.2.1', '[2001:db8::1]:5353']);
  assert.equal(config['public-url'], 'https://h');
  assert.deepEqual([config['strict-versions'], config.ephemeral, config['plain-http']], [true, false, true]);
});

test('an invalid value is reported by name, with the accepted values', (t) => {
  const cases: [args: string[], message: RegExp][] = [
    [['--listen', 'nowhere'], /^--listen takes HOST:PORT, such as 127\.0\.0\.1:8443; it was "nowhere"$/],
    [['--listen', '127.0.0.1:65536'], /^--listen takes HOST:PORT/],
    [['--dns-servers', 'ns.example.org'], /^--dns-servers takes IP addresses/],
    [['--colour', 'blue'], /^Unknown option '--colour'/],

    [['here'], /Unexpected argument 'here'/],
    [['--engine-ports', '5-4'], /^--engine-ports takes FROM-TO,FIRST/],
    [['--engine-ports', '20000-20010,30000'], /^--engine-ports takes FROM-TO,FIRST/],
    [['--engine', 'steam'], /^--engine takes one of embedded, kubernetes; it was "steam"$/],
    [['--log-level', 'loud'], /^--log-level takes one of debug, info, warn, error, silent; it was "loud"$/],
    [['--public-url', 'here'], /^--public-url takes a URL; it was "here"$/],
    [['--listen', '0.0.0.0:1', '--plain-http'], /^--plain-http is for loopback addresses only/],
    [['--public-key', 'abcdefgh'], /^--public-key and --private-key require each other$/],
    [['--tls-key', 'k.pem'], /^--tls-cert and --tls-key require each other$/],
    [['--ephemeral', '--keep-clusters'], /^--ephemeral and --keep-clusters exclude each other/],
    [['--control-listen', '192.0.2.7'], /^--control-listen takes HOST:PORT/],
    [['--control-listen', '[::]:8444'], /^--control-listen :: requires --control-advertise/],
    [['--control-advertise', 'here.test'], /^--control-advertise requires --control-listen$/],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => read(t, args), { name: 'ConfigError', message });
  }
  assert.throws(() => read(t, [], { PORTOLAN_PLAIN_HTTP: 'maybe' }), {
    message: /^--plain-http takes on or off; it was "maybe"$/,
  });
});

test('a value that may contain a password is not repeated', (t) => {
  assert.throws(() => read(t, ['--database', 'mysql://me:hidden@host/x']), {
    message: '--database takes a URL such as postgres://user:password@host:5432/name',
  });
});

test('an invalid settings file is rejected', (t) => {
  const refused = (content: string) => () => readConfig(['--config', settingsFile(t, content)], {});
  assert.throws(refused('{'), /settings\.json cannot be read: /);
  assert.throws(refused('[]'), /does not contain a JSON object$/);
  assert.throws(refused('{"colour": "blue"}'), /contains colour, which is not a setting$/);
  assert.throws(() => readConfig(['--config', '/nowhere/x.json'], {}), ConfigError);
});
