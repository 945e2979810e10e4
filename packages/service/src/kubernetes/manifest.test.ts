import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { manifest } from './manifest.ts';

test('the manifest gives an account the rights that the client uses, and no others', () => {
  const [account, role, binding, ...more] = parseAllDocuments(manifest('harbour')).map((one) => one.toJS());
  assert.deepEqual(more, []);
  assert.deepEqual(account, {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
    metadata: { name: 'portolan', namespace: 'harbour' },
  });
  assert.deepEqual(
    role.rules.map(({ apiGroups, resources, verbs }: Record<string, readonly string[]>) =>
      [apiGroups, resources, verbs].join(' '),
    ),
    [
      ' namespaces create,patch',
      'psmdb.percona.com perconaservermongodbs create,delete,get,list,patch,watch',
      'psmdb.percona.com perconaservermongodbbackups create,delete,get,list,patch',
      'psmdb.percona.com perconaservermongodbrestores create,get,patch',
      ' secrets create,delete,patch',
      ' services get',
    ],
  );
  assert.deepEqual(binding.roleRef, {
    ...{ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole' },
    name: role.metadata.name,
  });
  assert.deepEqual(binding.subjects, [{ kind: account.kind, ...account.metadata }]);
});
