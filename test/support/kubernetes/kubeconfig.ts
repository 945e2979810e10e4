/** How a client reaches an API server, as in a kubeconfig file. */
export interface Access {
  readonly server: string;
  /** PEM text of the certificate authority; by default, the authorities of the machine are trusted. */
  readonly authority?: string | undefined;
  readonly user: { readonly token: string } | { readonly certificate: string; readonly key: string };
}

const encoded = (pem: string): string => Buffer.from(pem).toString('base64');

/** Returns the text of a kubeconfig file. It is JSON, which is valid YAML. */
export function kubeconfigOf({ server, authority, user }: Access): string {
  const certificates = authority && { 'certificate-authority-data': encoded(authority) };
  const credentials =
    'token' in user
      ? user
      : { 'client-certificate-data': encoded(user.certificate), 'client-key-data': encoded(user.key) };
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config' },
    clusters: [
      {
        name: 'quay',
        cluster: { server, ...certificates, 'insecure-skip-tls-verify': server.startsWith('http:') },
      },
    ],
    users: [{ name: 'pilot', user: credentials }],
    contexts: [{ name: 'quay', context: { cluster: 'quay', user: 'pilot' } }],
    'current-context': 'quay',
  });
}
