import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Unanswered, UnansweredOfCluster } from './unanswered.ts';

suite('unanswered requests', () => {
  test('limit small requests by their number', () => {
    const cluster = new UnansweredOfCluster();
    const connection = new Unanswered(cluster);
    let sent = 0;
    for (; !connection.full && sent < 2_000; sent++) connection.add(50);
    assert.equal(sent, 1_000);
    connection.remove(50);
    assert.equal(connection.full, false);
  });

  test('limit large requests by their size', () => {
    const connection = new Unanswered(new UnansweredOfCluster());
    let sent = 0;
    for (; !connection.full; sent++) connection.add(16_000_000);
    assert.equal(sent, 3);
  });

  test('share the limit of a cluster, but do not stop a connection that waits for nothing', () => {
    const cluster = new UnansweredOfCluster();
    const [first, second] = [new Unanswered(cluster), new Unanswered(cluster)];
    while (!first.full) first.add(50);
    assert.equal(second.full, false);
    second.add(50);
    assert.equal(second.full, true);
    first.clear();
    assert.equal(second.full, false);
    assert.equal(cluster.count, 1);
  });
});
