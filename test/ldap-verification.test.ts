import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import ldap from 'ldapjs';
import { customerCertificate } from './support/customer-certificate.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { freePort } from './support/ports.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, newProject } from './support/stage.ts';

const ABSENT = '0123456789abcdef01234567';
const ADMIN = 'cn=admin,dc=example,dc=org';
const PASSWORD = 'a compass and a chart';
const HOST = '127.0.0.1';

type Document = Record<string, unknown>;

const { authority, certificate, key } = await customerCertificate('CN=directory', [HOST]);

/** Starts an LDAP server with TLS that knows one person. */
async function startDirectory(): Promise<number> {
  const server = ldap.createServer({ certificate, key });
  // The declared types lack the fields of requests.
  server.bind(
    'dc=example,dc=org',
    (request: { dn: object; credentials: string }, response: Reply, next: Next) => {
      const isKnown = String(request.dn) === ADMIN && request.credentials === PASSWORD;
      if (!isKnown) return next(new ldap.InvalidCredentialsError());
      response.end();
      return next();
    },
  );
  server.search('dc=example,dc=org', (request: { dn: object }, response: Reply, next: Next) => {
    if (String(request.dn) !== ADMIN) return next(new ldap.NoSuchObjectError('no such object'));
    response.send({ dn: ADMIN, attributes: { memberOf: ['cn=captains,dc=example,dc=org'] } });
    response.end();
    return next();
  });
  await new Promise<void>((done) => server.listen(0, HOST, () => done()));
  after(() => server.close(() => {}));
  // The declared types lack the port.
  return (server as unknown as { readonly port: number }).port;
}

type Next = (error?: unknown) => void;
interface Reply {
  send(entry: object): void;
  end(): void;
}

const port = await startDirectory();

onOneSetup(
  'SQLite, one instance',
  'verification of LDAP servers',
  (setup) => {
    const request = { hostname: HOST, port, bindUsername: ADMIN, caCertificate: authority };

    async function verified(project: string, change: object): Promise<Document> {
      const path = `${project}/userSecurity/ldap/verify`;
      const body = { ...request, bindPassword: PASSWORD, ...change };
      const { requestId, status, validations } = expectStatus<Document>(
        await setup.owner.post(path, body),
        200,
      );
      assert.deepEqual([status, validations], ['PENDING', []]);
      return until(
        'the end of the verification',
        async () => expectStatus<Document>(await setup.owner.get(`${path}/${requestId}`), 200),
        (found) => found.status !== 'PENDING',
      );
    }

    const stepsOf = ({ status, validations }: Document) => [
      status,
      ...(validations as { status: string; validationType: string }[]).map(
        (one) => `${one.validationType} ${one.status}`,
      ),
    ];

    test('each step of the verification is reported, up to the first failure', async () => {
      const project = await newProject(setup);
      const { requestId: _, links: __, ...found } = await verified(project, {});
      assert.deepEqual(found, {
        groupId: idIn(project),
        request: { authzQueryTemplate: '', ...request },
        status: 'SUCCESS',
        validations: [
          { status: 'OK', validationType: 'CONNECT' },
          { status: 'OK', validationType: 'AUTHENTICATE' },
        ],
      });
      const connected = ['CONNECT OK', 'AUTHENTICATE OK'];
      const steps = async (change: object) => stepsOf(await verified(project, change));
      assert.deepEqual(await steps({ authzQueryTemplate: '{USER}?memberOf?base' }), [
        'SUCCESS',
        ...connected,
        'PARSE_AUTHZ_QUERY OK',
        'QUERY_SERVER OK',
      ]);
      assert.deepEqual(await steps({ authzQueryTemplate: 'ou=ships,dc=example,dc=org?memberOf?base' }), [
        'FAIL',
        ...connected,
        'PARSE_AUTHZ_QUERY OK',
        'QUERY_SERVER FAIL',
      ]);
      assert.deepEqual(await steps({ authzQueryTemplate: '{USER}?memberOf?deep' }), [
        'FAIL',
        ...connected,
        'PARSE_AUTHZ_QUERY FAIL',
      ]);
      assert.deepEqual(await steps({ bindPassword: 'wrong' }), ['FAIL', 'CONNECT OK', 'AUTHENTICATE FAIL']);
      const { authority: foreign } = await customerCertificate('CN=other');
      assert.deepEqual(await steps({ caCertificate: foreign }), ['FAIL', 'CONNECT FAIL']);
      assert.deepEqual(await steps({ port: await freePort() }), ['FAIL', 'CONNECT FAIL']);
    });

    test('a verification belongs to its project', async () => {
      const [project, other] = [await newProject(setup), await newProject(setup)];
      const { requestId } = await verified(project, {});
      for (const id of [String(requestId), ABSENT])
        expectFault(
          await setup.owner.get(`${other}/userSecurity/ldap/verify/${id}`),
          404,
          'LDAP_VERIFICATION_NOT_FOUND',
          [id, idIn(other)],
        );
    });
  },
  { settings: { 'allow-private-targets': true } },
);
