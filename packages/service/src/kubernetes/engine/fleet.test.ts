import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { Fleet } from './fleet.ts';
import { CLUSTER_LABEL } from './names.ts';
import type { KubernetesObject, WatchHandlers } from './port.ts';

const versionOf = (object: KubernetesObject | undefined) => object?.metadata?.resourceVersion;

test('the response to a change does not replace what the watch has reported after it', () => {
  let handlers: WatchHandlers | undefined;
  const watch = (_: unknown, given: WatchHandlers) => {
    handlers = given;
    return { close: async () => {} };
  };
  const fleet = new Fleet({ watch }, testClock(), () => {});
  const object = (resourceVersion: string, uid = 'u'): KubernetesObject => ({
    metadata: { labels: { [CLUSTER_LABEL]: 'fleet' }, generation: 3, resourceVersion, uid },
  });
  const stored = (...given: Parameters<typeof object>) => {
    fleet.store('fleet', object(...given));
    return versionOf(fleet.find('fleet'));
  };
  assert.equal(stored('99'), '99');
  handlers?.changed(object('101'));
  assert.equal(stored('100'), '101');
  assert.equal(stored('102'), '102');
  // A resource that was created anew is another resource.
  assert.equal(stored('7', 'v'), '7');
});
