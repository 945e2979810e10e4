/** A bare Fastify route over TLS that answers a ready string: what the same bytes cost without any service. */
import Fastify from 'fastify';
import { systemRandom } from '../src/runtime/random.ts';
import { issueServerCertificate, makeAuthority } from '../src/runtime/tls/authority.ts';

const { body } = JSON.parse(process.argv[2] ?? '{}') as { body: string };
const making = { now: Date.now(), random: systemRandom() };
const authority = await makeAuthority(making);
const certificate = await issueServerCertificate(authority, ['127.0.0.1'], making);

const app = Fastify({ https: { key: certificate.key, cert: certificate.cert } });
app.get('/cluster', (_, reply) => reply.type('application/json').send(body));
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/cluster`);
