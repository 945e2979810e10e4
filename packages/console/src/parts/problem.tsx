import { Alert } from '@patternfly/react-core';

/** The message of an error; nothing without one. */
export function Problem({ error }: { readonly error: Error | null | undefined }) {
  if (!error) return null;
  return <Alert isInline variant="danger" title={error.message} />;
}
