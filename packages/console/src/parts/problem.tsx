import { Alert } from '@patternfly/react-core';

/** Displays the message of an error; nothing if there is no error. */
export function Problem({ error }: { readonly error: Error | null | undefined }) {
  if (!error) return null;
  return <Alert isInline variant="danger" title={error.message} />;
}
