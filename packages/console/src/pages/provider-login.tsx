import { Alert, Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { read, urlOf } from '../api/client.ts';

/** Explanations of a failed login at the provider, by the code in the address of this page. */
const problems: Readonly<Record<string, string>> = {
  busy: 'Too many logins have failed. Try again in a minute.',
  ended: 'This login took too long, was already completed, or began in another browser. Try again.',
  failed:
    'The provider cannot be reached, or its response is not valid. The log of the service contains the reason.',
  other:
    'The account with your mail address is already linked to another person at the provider. The operator can change this.',
  rejected: 'The provider did not log you in.',
  unknown: 'Nobody with your mail address has an account or an invitation.',
  unverified: 'The provider has not verified your mail address.',
};

/** The button for a login at the OpenID provider, if the service has one. */
export function ProviderLogin() {
  const { data } = useQuery({
    queryKey: ['login-methods'],
    queryFn: () => read('console', '/login-methods'),
  });
  const [, reason = ''] = /[?&]openid=([a-z]+)/.exec(location.hash) ?? [];
  const problem = Object.hasOwn(problems, reason) ? problems[reason] : undefined;
  return (
    <>
      {problem !== undefined && <Alert isInline variant="danger" title={problem} />}
      {data?.openIdProvider && (
        <p>
          <Button component="a" href={urlOf('console/oidc/login').href} variant="secondary">
            Log in with {data.openIdProvider}
          </Button>
        </p>
      )}
    </>
  );
}
