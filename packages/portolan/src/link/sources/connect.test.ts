import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetClient } from './connect.ts';

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
