import { ActionGroup, Alert, Button, Form } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { sendChange } from '../api/client.ts';
import { consoleRequest } from '../api/requests.ts';
import { OuterPage, tokenInAddress } from '../parts/outer-page.tsx';
import { Problem } from '../parts/problem.tsx';
import { TextField } from '../parts/text-field.tsx';

/** Requests a mail with a link or, if that link opened the page, sets a new password. */
export function ResetPage() {
  const [token] = useState(tokenInAddress);
  const [text, setText] = useState('');
  const { error, isPending, isSuccess, mutate } = useMutation({
    mutationFn: () =>
      sendChange(
        token === undefined
          ? consoleRequest('POST', '/reset-mails', { username: text })
          : consoleRequest('POST', '/reset', { token, password: text }),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const done =
    token === undefined
      ? 'If the user exists, the service sends a mail with a link.'
      : 'The password is set.';
  return (
    <OuterPage title="New password">
      {isSuccess ? (
        <Alert isInline variant="success" title={done} />
      ) : (
        <Form onSubmit={submit}>
          <Problem error={error} />
          <TextField
            id={token === undefined ? 'username' : 'password'}
            label={token === undefined ? 'User name' : 'New password'}
            type={token === undefined ? 'text' : 'password'}
            value={text}
            onChange={setText}
            error={error}
            isRequired
          />
          <ActionGroup>
            <Button type="submit" isDisabled={text === ''} isLoading={isPending}>
              {token === undefined ? 'Send a link' : 'Set password'}
            </Button>
          </ActionGroup>
        </Form>
      )}
      <Link href="/">Back to login</Link>
    </OuterPage>
  );
}
