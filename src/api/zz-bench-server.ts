import Fastify from 'fastify';
import Type from 'typebox';
import { entity } from './entity.ts';
import { GROUP, operation, PUBLIC_URL, testApi } from './testing.ts';

const props: Record<string, any> = {};
const value: Record<string, any> = {};
for (let i = 0; i < 50; i++) {
  const n = `field${String.fromCharCode(97 + ((i * 7) % 26))}${i}`;
  props[n] = Type.Optional(i % 5 === 0 ? Type.Integer() : Type.String());
  value[n] = i % 5 === 0 ? i : `value number ${i}`;
}
props.created = Type.Unsafe<string | Date>(Type.String({ format: 'date-time' }));
value.created = new Date();
props.nested = Type.Object({
  a: Type.String(),
  b: Type.Array(Type.Object({ c: Type.Integer(), d: Type.String() })),
});
value.nested = {
  a: 'x',
  b: [
    { c: 1, d: 'e' },
    { c: 2, d: 'f' },
  ],
};
const Big = entity(Type.Object(props), { name: 'big', self: 'getBig', params: () => ({ name: 'x' }) });
const getBig = operation({
  id: 'getBig',
  summary: '',
  tag: 'T',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{shipName}',
  access: 'Project Read Only',
  reply: Big,
  status: 200,
  handler: async () => value as any,
});

const t = { after() {} } as any;
const { app, send } = await testApi(
  t,
  [getBig],
  process.env.TLS
    ? { tls: { key: readFileSync('/tmp/edge/k.pem'), cert: readFileSync('/tmp/edge/c.pem') } }
    : {},
);
const path = `/api/service/v2/groups/${GROUP}/clusters/x`;
const body = (await send({ url: path })).body;
console.error(body.length, body.slice(0, 300));

import { readFileSync } from 'node:fs';

const tls = process.env.TLS
  ? { key: readFileSync('/tmp/edge/k.pem'), cert: readFileSync('/tmp/edge/c.pem') }
  : undefined;
const bare = Fastify(tls ? ({ https: tls } as any) : {});
bare.get(path, (_, reply) => {
  reply.header('content-type', 'application/json').send(body);
});
const H = (await send({ url: path })).headers as any;
for (const k of ['date', 'connection', 'content-length']) delete H[k];
bare.get('/hdr', (_, reply) => {
  reply
    .headers(H)
    .serializer((x: any) => x)
    .send(body);
});
bare.get('/hook', {
  onRequest: async () => {},
  handler: async (_, reply) => {
    return reply
      .headers(H)
      .serializer((x: any) => x)
      .send(body);
  },
});
const obj = JSON.parse(body);
bare.get('/str', (_, reply) => {
  reply.header('content-type', 'application/json').send(JSON.stringify(obj));
});
bare.get('/cpu', async () => process.cpuUsage());
await bare.listen({ port: 19101, host: '127.0.0.1' });
await app.listen({ port: 19102, host: '127.0.0.1' });
if (process.argv[2]) setTimeout(() => process.exit(0), Number(process.argv[2]));
console.log(path);
