import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { MongoClient } from 'mongodb';
import { adopt } from './support/adopted-cluster.ts';
import { ADMINISTRATOR, otherServer } from './support/adopted-engine.ts';
import type { Client } from './support/client.ts';
import { allowAccess, connectDriver, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import { runCommand, scopeOf } from './support/service.ts';
import { own } from './support/setups.ts';
import { applied, idIn, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

/**
 * Checks that none of the secrets that callers send or receive appears in clear text in a log, file, saved state or
 * archive.
 */

const planted = 'planted-3f9c1b7e';
const secret = (kind: string) => `${planted}-${kind}`;

own.onOneSetup(
  'SQLite, one instance',
  'planted secrets',
  (setup) => {
    const scope = scopeOf({ after });

    test('are in no log and no file, including saved states and their archives', async () => {
      const { owner, bootstrap, operator } = setup;
      const { dataDirectory } = setup.instances[0] ?? { dataDirectory: '' };
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'safe');
      await allowAccess(setup, project, cluster);
      // Add an adopted deployment, since its project keeps the passwords of users.
      const server = await otherServer(scope);
      const deployment = { groupId: idIn(project), name: 'ledger', connectionString: server.uri };
      expectStatus(await adopt(setup, deployment), 201);
      await idle(owner, `${project}/clusters/ledger`);
      const given: Array<readonly [path: string, body: object, status: number]> = [
        [
          `${project}/databaseUsers`,
          {
            ...{ username: 'mole', password: secret('password'), databaseName: 'admin' },
            roles: [{ roleName: 'read', databaseName: 'sea' }],
          },
          201,
        ],
        [
          `${project}/integrations/SLACK`,
          { type: 'SLACK', apiToken: secret('slack'), channelName: 'bridge' },
          200,
        ],
        [
          `${project}/integrations/WEBHOOK`,
          {
            type: 'WEBHOOK',
            webhookUrl: `https://hooks.example.org/${secret('url')}`,
            webhookSecret: secret('hook'),
          },
          200,
        ],
      ];
      expectStatus(await operator.patch('/operator/v1/requests/settings', { recording: 'BODIES' }), 200);
      const keys = {
        ...{ accessKeyID: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: secret('aws'), enabled: true },
        ...{ customerMasterKeyID: 'arn:aws:kms:us-east-1:123456789012:key/harbour', region: 'US_EAST_1' },
      };
      const encryption = `${project}/encryptionAtRest`;
      expectStatus(await owner.patch(encryption, { awsKms: keys }), 200);
      for (const [path, body, status] of given) expectStatus(await owner.post(path, body), status);
      const adopted = {
        ...{ groupId: idIn(project), name: 'wreck' },
        connectionString: `mongodb://root:${secret('other')}@127.0.0.1:1/?serverSelectionTimeoutMS=1`,
      };
      expectStatus(await operator.post('/operator/v1/deployments', adopted), 400);
      await applied(owner, `${project}/clusters/ledger`);
      const login = `//mole:${secret('password')}@`;
      await (await MongoClient.connect(server.uri.replace(/\/\/[^@]*@/, login), LONG_TIMEOUTS)).close();
      // Rejected bodies, unknown paths and failed commands are logged, too.
      await owner.post(`${project}/databaseUsers`, { username: 'x', password: secret('refused') });
      await owner.get(`${project}/nowhere?token=${secret('query')}`);
      const { connectionStrings } = await idle(owner, cluster);
      const auth = { username: 'mole', password: secret('wrong') };
      await assert.rejects(connectDriver(connectionStrings.standard ?? '', { auth }), { code: 18 });
      const { orgId } = bootstrap;
      const key = { desc: 'planted', roles: ['ORG_MEMBER'] };
      const { privateKey } = expectStatus<{ privateKey: string }>(
        await owner.post(`/orgs/${orgId}/apiKeys`, key),
        200,
      );
      const inspected = await inspectedBy(operator);
      assert.ok(inspected.includes('mole') && inspected.includes('"request":{"body"'));
      const archive = join(dataDirectory, '..', 'planted.tar.zst');
      expectStatus(await operator.post('/operator/v1/states', { name: 'planted' }), 201);
      const exported = await runCommand(`state export planted ${archive}`, { 'data-dir': dataDirectory });
      assert.equal(exported.code, 0, exported.err);
      const output = setup.instances.map((one) => one.log() + one.printed()).join('\n');
      await setup.stop();

      const { clientSecret, operatorToken } = bootstrap;
      const secrets = [
        planted,
        ADMINISTRATOR.pwd,
        privateKey,
        bootstrap.privateKey,
        clientSecret,
        operatorToken,
      ];
      const forms = secrets.flatMap((text) => [text, Buffer.from(text).toString('hex'), base64(text)]);
      const files = readdirSync(dataDirectory, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && one.name !== 'bootstrap.json')
        .map(({ parentPath, name }) => join(parentPath, name));
      assert.ok(files.some((path) => path.includes('states')) && files.length > 20);
      const texts: Array<readonly [place: string, text: string]> = [
        ['what it said', output],
        ['the request inspector', inspected],
        ['the archive', zstdDecompressSync(readFileSync(archive)).toString('latin1')],
        ...files.map((path) => [path, readFileSync(path, 'latin1')] as const),
      ];
      for (const [place, text] of texts) {
        for (const form of forms) assert.ok(!text.includes(form), `${form} is in ${place}`);
      }
      // A check of the test itself: a file that must contain a secret does contain it in the searched form.
      assert.ok(readFileSync(join(dataDirectory, 'bootstrap.json'), 'utf8').includes(bootstrap.privateKey));
    });
  },
  { settings: { 'log-level': 'debug' } },
);

/** Returns everything that the request inspector shows. */
async function inspectedBy(operator: Client): Promise<string> {
  const path = '/operator/v1/requests';
  const page = await operator.get(`${path}?itemsPerPage=500`);
  const { results } = expectStatus<ListDocument<{ readonly requestId: string }>>(page, 200);
  const details = await Promise.all(results.map(({ requestId }) => operator.get(`${path}/${requestId}`)));
  return [page, ...details].map(({ text }) => text).join('\n');
}

/**
 * Returns the Base64 form of a text, without the last characters, which would differ if other bytes followed
 * the text.
 */
function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1);
}
