import { ActionGroup, Alert, Button, Form } from '@patternfly/react-core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import { forgetData, logIn } from '../api/session.ts';
import { OuterPage } from '../parts/outer-page.tsx';
import { Problem } from '../parts/problem.tsx';
import { TextField } from '../parts/text-field.tsx';
import { ProviderLogin } from './provider-login.tsx';

/** The page for anyone without a session. */
export function LoginPage() {
  const queries = useQueryClient();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string>();
  const attempt = useMutation({
    mutationFn: () => logIn(username, password, code),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'CODE_REQUIRED') setCode('');
    },
    onSuccess: () => {
      forgetData(queries);
      return queries.invalidateQueries();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  const isLinkInvalid = location.hash.includes('link=invalid');
  return (
    <OuterPage title="Log in to Portolan">
      {isLinkInvalid && (
        <Alert isInline variant="warning" title="This link has already been used, or it has expired." />
      )}
      <ProviderLogin />
      <p>
        On the machine of the service, <code>portolan console</code> (in a clone <code>npm run console</code>)
        prints a link that logs in. Everybody else logs in with a user name and password.
      </p>
      <Form onSubmit={submit}>
        <Problem error={attempt.error} />
        <TextField
          id="username"
          label="User name"
          value={username}
          onChange={setUsername}
          help="The mail address to which your invitation was sent"
          isRequired
        />
        <TextField
          id="password"
          label="Password"
          type="password"
          value={password}
          onChange={setPassword}
          isRequired
        />
        {code !== undefined && (
          <TextField
            id="code"
            label="One-time code"
            value={code}
            onChange={setCode}
            help="The code that your app shows, or a recovery code"
            isRequired
          />
        )}
        <ActionGroup>
          <Button type="submit" isDisabled={username === '' || password === ''} isLoading={attempt.isPending}>
            Log in
          </Button>
          <Link href="/reset">Forgot the password</Link>
        </ActionGroup>
      </Form>
    </OuterPage>
  );
}
