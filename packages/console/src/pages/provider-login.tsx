import { Alert, Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { read, urlOf } from '../api/client.ts';

/** Explanations of a failed login at the provider, by the code in the address of this page. */
const problems: Readonly<Record<string, string>> = {
  absent: 'There is no such identity provider, or no organization uses it for logins.',
  busy: 'Too many logins have failed, or are waiting for the provider. Try again in a minute.',
  domain: 'The identity provider of your organization must not log in mail addresses of your domain.',
  ended: 'This login took too long, was already completed, or began in another browser. Try again.',
  failed:
    'The provider cannot be reached, or its response is not valid. The log of the service contains the reason.',
  other:
    'The account with your mail address is already linked to another person at the provider. The operator can change this.',
  rejected: 'The provider did not log you in.',
  unknown:
    'Nobody with your mail address has an account or an invitation, or the provider gives you no roles.',
  unproven:
    'Nobody has verified the mail address of your account. Set a new password with a mailed link first.',
  unverified: 'The provider has not verified your mail address.',
};

/** Returns a parameter of the address of this page; an empty text if there is none. */
const parameter = (name: string) => new URLSearchParams(location.hash.split('?')[1]).get(name) ?? '';

/**
 * The buttons for logins at the OpenID provider of the service, if there is one, and at the identity provider of an
 * organization, if the address of the page names it.
 */
export function ProviderLogin() {
  const provider = parameter('provider');
  const { data } = useQuery({
    queryKey: ['login-methods', provider],
    queryFn: () => read('console', `/login-methods?${new URLSearchParams({ provider })}`),
  });
  const reason = parameter('openid');
  const problem = Object.hasOwn(problems, reason) ? problems[reason] : undefined;
  return (
    <>
      {problem !== undefined && <Alert isInline variant="danger" title={problem} />}
      {data?.identityProvider && <LoginButton host={data.identityProvider} query={`?provider=${provider}`} />}
      {data?.openIdProvider && <LoginButton host={data.openIdProvider} query="" />}
    </>
  );
}

function LoginButton({ host, query }: { readonly host: string; readonly query: string }) {
  return (
    <p>
      <Button component="a" href={urlOf(`console/oidc/login${query}`).href} variant="secondary">
        Log in with {host}
      </Button>
    </p>
  );
}
