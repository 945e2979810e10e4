import { stringify } from 'yaml';
import { kinds } from './engine/kinds.ts';

const NAME = 'portolan';
const RIGHTS = 'rbac.authorization.k8s.io';

/** YAML documents of a service account with the minimum rights that the service needs in a Kubernetes cluster. */
export function manifest(namespace: string): string {
  return [accountIn(namespace), role, bindingIn(namespace)].map((one) => stringify(one)).join('---\n');
}

const accountIn = (namespace: string) => ({
  ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
  metadata: { name: NAME, namespace },
});

const role = {
  ...{ apiVersion: `${RIGHTS}/v1`, kind: 'ClusterRole' },
  metadata: { name: NAME },
  rules: Object.values(kinds).map(({ apiVersion, plural, verbs }) => ({
    // The core group has an empty name.
    apiGroups: [apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : ''],
    resources: [plural],
    verbs: [...verbs],
  })),
};

const bindingIn = (namespace: string) => ({
  ...{ apiVersion: `${RIGHTS}/v1`, kind: 'ClusterRoleBinding' },
  metadata: { name: NAME },
  roleRef: { apiGroup: RIGHTS, kind: 'ClusterRole', name: NAME },
  subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
});
