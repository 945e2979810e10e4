import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf } from '@portolan/test-support/service';
import { serverWithLongReply } from '@portolan/test-support/stand-in-server';
import { sourceClient, targetClient } from './connect.ts';

const target = { uri: 'mongodb://db1.example.org/?tls=true', username: 'mover', password: 'a cart' };

test('the authority in an order replaces that of the service', () => {
  const authorityOf = (caCertificate?: string) => {
    const order = { ...target, ...(caCertificate === undefined ? {} : { caCertificate }) };
    const { ca, tlsCAFile } = targetClient(order, '/etc/service.pem', {}).options;
    return { ca, tlsCAFile };
  };
  assert.deepEqual(authorityOf('an authority'), { ca: 'an authority', tlsCAFile: undefined });
  assert.deepEqual(authorityOf(), { ca: undefined, tlsCAFile: '/etc/service.pem' });
});

test('a source that announces a message that is too long is rejected', async (t) => {
  const uri = await serverWithLongReply(scopeOf(t));
  const order = { projectId: '', deployment: '', ssl: false };
  const client = sourceClient(uri, order, {});
  await assert.rejects(client.db('admin').command({ ping: 1 }), /a reply has 2000000000 bytes/);
  await client.close();
});
