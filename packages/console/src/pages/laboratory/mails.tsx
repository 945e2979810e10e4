import { Title } from '@patternfly/react-core';
import type { OperatorEntry } from '../../api/operations.ts';
import { useOperatorList } from '../../api/resources.ts';
import { Copied } from '../../parts/copied.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';

type Notification = OperatorEntry<'/notifications'>;
type Mail = OperatorEntry<'/mails'> | Notification;

const columns: readonly Column<Mail>[] = [
  { title: 'Time', cell: ({ created }) => <Moment at={created} />, width: 15 },
  { title: 'To', cell: ({ to }) => [to].flat().join(', '), width: 15 },
  { title: 'Subject', cell: ({ subject }) => subject, width: 20 },
  {
    title: 'Outcome',
    cell: ({ outcome, problem }) => [outcome, problem].filter(Boolean).join(': '),
    width: 10,
  },
  { title: 'Text', cell: ({ body }) => body && <Letter body={body} />, width: 40 },
];

const notificationColumns: readonly Column<Notification>[] = [
  { title: 'Kind', cell: ({ typeName }) => typeName, width: 10 },
  ...columns,
];

/** The text of a mail. If it has a link to the console, the link can be opened and copied. */
function Letter({ body }: { readonly body: string }) {
  const link = linkIn(body);
  return (
    <>
      {/* Focusable, so that a long text can be scrolled by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the focus */}
      <pre className="code letter" tabIndex={0}>
        {body}
      </pre>
      {link && <Copied label="link in the mail" text={link} />}
    </>
  );
}

/**
 * Returns the first link to a page of the console in a text. Ignores other addresses, since anybody can have written
 * them.
 */
function linkIn(body: string): string | undefined {
  const found = /https?:\/\/\S+/g;
  return body.match(found)?.find((address) => address.includes('/console/#/'));
}

/** Mails and notifications. Without a mail server, they are listed here only. */
export function Mails() {
  const mails = useOperatorList('/mails?itemsPerPage=100');
  const notifications = useOperatorList('/notifications?itemsPerPage=100');
  return (
    <>
      <Title headingLevel="h2">Mails with links</Title>
      <DataTable
        label="Mails"
        columns={columns}
        rows={mails.data}
        keyOf={({ id }) => id}
        error={mails.error}
        empty="Invitations and links for new passwords appear here."
      />
      <Title headingLevel="h2">Notifications of alerts</Title>
      <DataTable
        label="Notifications"
        columns={notificationColumns}
        rows={notifications.data}
        keyOf={({ id }) => id}
        error={notifications.error}
        empty="Notifications appear when alerts open, or when a configuration is tested."
      />
    </>
  );
}
