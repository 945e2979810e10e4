import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Forwarded, ForwardedOfCluster } from './forwarded.ts';

const MB = 1_000_000;
const small = { bytes: 50, moreToCome: false };
const silent = { bytes: 50, moreToCome: true };

/** Sends requests of `connection` until one has to wait. Returns the functions that end the requests. */
function fill(connection: Forwarded, request: { bytes: number; moreToCome: boolean }): Array<() => void> {
  const ends: Array<() => void> = [];
  for (let before = -1; ends.length > before && ends.length < 5_000; ) {
    before = ends.length;
    connection.send(request, (end) => ends.push(end));
  }
  return ends;
}

suite('requests at the query thread', () => {
  test('are limited by their number if the clients expect no reply', () => {
    const connection = new Forwarded(new ForwardedOfCluster());
    const ends = fill(connection, silent);
    assert.equal(ends.length, 1_000);
    ends[0]?.();
    assert.equal(ends.length, 1_001);
  });

  test('stop their connection if they are large and expect no reply', () => {
    const connection = new Forwarded(new ForwardedOfCluster());
    let sent = 0;
    for (; !connection.full; sent++) connection.send({ bytes: 16 * MB, moreToCome: true }, () => {});
    assert.equal(sent, 3);
  });

  test('count until they have ended, even if their connections close meanwhile', () => {
    const cluster = new ForwardedOfCluster();
    const first = new Forwarded(cluster);
    const ends = fill(first, silent);
    first.close();
    const second = new Forwarded(cluster);
    let sent = 0;
    second.send(silent, () => sent++);
    assert.equal(sent, 0);
    // The end of one request makes the cluster admit another one. The last request of the first connection has waited
    // longest, so it is sent first.
    ends[0]?.();
    assert.equal(ends.length, 1_001);
    ends[1]?.();
    assert.equal(sent, 1);
  });

  test('of many connections that close at once are limited as well', () => {
    const cluster = new ForwardedOfCluster();
    const ends: Array<() => void> = [];
    for (let sent = 0; sent < 1_200; sent++) {
      const connection = new Forwarded(cluster);
      connection.send(small, (end) => ends.push(end));
      connection.close();
    }
    assert.equal(ends.length, 1_000);
  });

  test('wait if they are large and the cluster has many bytes, but small ones do not', () => {
    const cluster = new ForwardedOfCluster();
    const large = { bytes: 48 * MB, moreToCome: false };
    const ends: Array<() => void> = [];
    for (let i = 0; i < 20; i++) new Forwarded(cluster).send(large, (end) => ends.push(end));
    assert.equal(ends.length, 11);
    new Forwarded(cluster).send(small, (end) => ends.push(end));
    assert.equal(ends.length, 12);
    ends[0]?.();
    assert.equal(ends.length, 13);
    assert.equal(cluster.bytes, 11 * large.bytes + small.bytes);
  });

  test('are not sent if their connection closes while they wait, unless they expect no reply', () => {
    const cluster = new ForwardedOfCluster();
    const ends = fill(new Forwarded(cluster), silent);
    const large = { bytes: 48 * MB, moreToCome: false };
    for (let i = 0; i < 11; i++) new Forwarded(cluster).send(large, (end) => ends.push(end));
    const first = new Forwarded(cluster);
    first.send(large, () => assert.fail('sent for a closed connection'));
    first.close();
    const second = new Forwarded(cluster);
    second.send(silent, (end) => ends.push(end));
    second.close();
    const bytes = 1_000 * silent.bytes + 11 * large.bytes;
    assert.equal(cluster.bytes, bytes + silent.bytes);
    for (const end of ends.slice(0, 1_011)) end();
    // The ended requests have made room for two waiting requests: the last request of `fill`, and the request of
    // `second`.
    assert.equal(ends.length, 1_013);
    assert.equal(cluster.bytes, 2 * silent.bytes);
    for (const end of ends.slice(1_011)) end();
    assert.equal(cluster.bytes, 0);
  });

  test('stay only up to a limit if their connections close while they wait', () => {
    const cluster = new ForwardedOfCluster();
    const ends = fill(new Forwarded(cluster), silent);
    const sent: number[] = [];
    for (let i = 0; i < 3; i++) {
      const connection = new Forwarded(cluster);
      connection.send({ bytes: 20 * MB, moreToCome: true }, () => sent.push(i));
      connection.close();
    }
    for (const end of ends) end();
    assert.deepEqual(sent, [0, 1]);
  });
});
