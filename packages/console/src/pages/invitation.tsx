import { ActionGroup, Button, Form } from '@patternfly/react-core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { sendChange } from '../api/client.ts';
import type { Reply } from '../api/operations.ts';
import { consoleRequest } from '../api/requests.ts';
import { OuterPage, tokenInAddress } from '../parts/outer-page.tsx';
import { Problem } from '../parts/problem.tsx';
import { TextField } from '../parts/text-field.tsx';

type Invitation = Reply<'console', 'POST', '/invitation'>;

/** The page that the link in an invitation mail opens. */
export function InvitationPage() {
  const [token] = useState(tokenInAddress);
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => sendChange(consoleRequest('POST', '/invitation', { token: token ?? '' })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <OuterPage title="Invitation">
      <Problem error={error} />
      {data && <Acceptance token={token} invitation={data} />}
    </OuterPage>
  );
}

interface AcceptanceProps {
  readonly token: string | undefined;
  readonly invitation: Invitation;
}

function Acceptance({ token, invitation }: AcceptanceProps) {
  const { hasAccount, inviter, orgName, username } = invitation;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [password, setPassword] = useState('');
  const { error, isPending, mutate } = useMutation({
    mutationFn: () =>
      sendChange(
        consoleRequest('POST', '/invitation/accept', {
          token: token ?? '',
          ...(hasAccount ? {} : { firstName, lastName, password }),
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['session'] });
      navigate('/');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const field = { error, isRequired: true } as const;
  return (
    <Form onSubmit={submit}>
      <p>{`${inviter} invites ${username} to the organization ${orgName}.`}</p>
      <Problem error={error} />
      {!hasAccount && (
        <>
          <TextField id="firstName" label="First name" value={firstName} onChange={setFirstName} {...field} />
          <TextField id="lastName" label="Last name" value={lastName} onChange={setLastName} {...field} />
          <TextField
            id="password"
            label="Password"
            type="password"
            help="8 characters or more"
            value={password}
            onChange={setPassword}
            {...field}
          />
        </>
      )}
      <ActionGroup>
        <Button type="submit" isLoading={isPending}>
          Accept
        </Button>
      </ActionGroup>
    </Form>
  );
}
