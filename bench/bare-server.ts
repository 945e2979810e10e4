/**
 * A bare Fastify route that returns a constant string. It measures the cost of returning the same bytes as the service,
 * but without the service.
 */
import Fastify from 'fastify';
import { systemRandom } from '../packages/foundation/src/random.ts';
import { issueServerCertificate, makeAuthority } from '../packages/foundation/src/tls/authority.ts';
import { answerUsage } from './usage.ts';

const { body, plain = false } = JSON.parse(process.argv[2] ?? '{}') as { body: string; plain?: boolean };
const app = Fastify({ https: plain ? null : await certificate() });
app.get('/cluster', (_, reply) => reply.type('application/json').send(body));
answerUsage();
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
const port = typeof address === 'object' ? address?.port : '';
console.log(`${plain ? 'http' : 'https'}://127.0.0.1:${port}/cluster`);

async function certificate() {
  const making = { now: Date.now(), random: systemRandom() };
  const authority = await makeAuthority(making);
  return issueServerCertificate(authority, ['127.0.0.1'], making);
}
