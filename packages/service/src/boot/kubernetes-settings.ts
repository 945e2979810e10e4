import { oneOf, type Setting, text, yesNo } from './setting.ts';

export const kubernetesSettings = {
  'kubernetes-namespace-prefix': {
    description:
      'Prefix of the namespaces on Kubernetes. The name of the namespace of a project consists of this prefix, a hyphen and the id of the project.',
    default: 'portolan',
    read: readNamespacePrefix,
  },
  'kubernetes-images': {
    description:
      'Images of database servers on Kubernetes, by major version: a list of VERSION=IMAGE, separated by commas, such as 8.0=registry.example.org/mongodb:8.0.19-7. Other versions use the default images.',
    read: readImages,
  },
  'kubernetes-storage-class': text(
    'Storage class of the volumes on Kubernetes. It must allow volume expansion. By default, the default storage class of the Kubernetes cluster.',
  ),
  'kubernetes-expose': oneOf(
    ['none', 'LoadBalancer'],
    'How clients outside Kubernetes reach the nodes of clusters: not at all (none), or through one Kubernetes service of the type LoadBalancer for each node (LoadBalancer).',
    'none',
  ),
  'kubernetes-any-node': yesNo(
    "Run clusters on any Kubernetes node. By default, a cluster runs only on nodes whose label topology.kubernetes.io/region is the region of the cluster in the provider's spelling, such as eu-west-1.",
  ),
  'kubernetes-delete-volumes': yesNo(
    'When a cluster on Kubernetes is deleted, delete its volumes as well. By default, the volumes and their data remain.',
  ),
  'kubernetes-backups': text(
    'YAML or JSON file that names the bucket in which the Percona operator stores snapshots, with its credentials, and optionally export buckets of projects for their snapshots. By default, clusters on Kubernetes have no snapshots.',
  ),
} satisfies Record<string, Setting<unknown>>;

/**
 * Reads a prefix of at most 32 characters. A namespace, which also contains a hyphen and a project id of 24
 * characters, then has fewer than the 63 characters that Kubernetes allows.
 */
function readNamespacePrefix(value: string): string {
  if (!/^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/.test(value)) {
    throw new Error('takes up to 32 lower-case letters, digits and hyphens');
  }
  return value;
}

function readImages(value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    value.split(',').map((part) => {
      const [, version, image] = /^(\d+\.\d+)=(\S+)$/.exec(part.trim()) ?? [];
      if (version === undefined || image === undefined)
        throw new Error('takes a list of VERSION=IMAGE, separated by commas');
      return [version, image];
    }),
  );
}
