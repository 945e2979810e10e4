import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, type OpenAlert, useChange } from '../../api/resources.ts';
import { readServiceTime } from '../../api/session.ts';
import { breakable } from '../../parts/breakable.tsx';
import { PagedTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { AlertsProps } from './alerts.tsx';

const HOUR_MS = 3_600_000;

/** The periods for which a person can acknowledge an alert, in hours. */
const spans = [
  ['1', 'one hour'],
  ['8', 'eight hours'],
  ['24', 'one day'],
  ['168', 'one week'],
] as const;

/** The alerts of a project, open and closed. */
export function OpenAlerts({ group, address, isOwner }: AlertsProps) {
  const path = `${group}/alerts` as const;
  const [chosen, setChosen] = useState<OpenAlert>();
  return (
    <>
      <PagedTable
        label="Alerts"
        columns={[
          {
            title: 'Alert',
            cell: ({ alertConfigId, eventTypeName }) => (
              <Link href={`${address}/configurations/${alertConfigId}`} className="words">
                {breakable(eventTypeName)}
              </Link>
            ),
          },
          { title: 'Source', width: 20, cell: sourceText },
          { title: 'State', cell: ({ status }) => <StateLabel state={status} /> },
          { title: 'Cluster', cell: ({ clusterName }) => clusterName },
          { title: 'Opened', cell: ({ created }) => <Moment at={created} /> },
          {
            title: 'Acknowledged until',
            cell: ({ acknowledgedUntil, acknowledgementComment }) =>
              acknowledgedUntil && (
                <>
                  <Moment at={acknowledgedUntil} /> {acknowledgementComment}
                </>
              ),
          },
          {
            title: 'Action',
            cell: (alert) =>
              isOwner && <Action path={path} alert={alert} onAcknowledge={() => setChosen(alert)} />,
          },
        ]}
        path={path}
        keyOf={({ id }) => id}
        empty="Alerts appear when a condition of an alert configuration is met. The service checks most conditions every ten seconds."
      />
      {chosen && (
        <Acknowledge path={`${path}/${chosen.id}`} alert={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}

/** Returns the host or replica set of an alert, and the value of its metric. */
function sourceText({ hostnameAndPort, replicaSetName, metricName, currentValue }: OpenAlert): string {
  const value = currentValue && [metricName, valueText(currentValue)].filter(Boolean).join(' ');
  return [hostnameAndPort ?? replicaSetName, value].filter(Boolean).join(': ');
}

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** Returns a measured value with its unit, if it has one. */
function valueText({ number, units }: NonNullable<OpenAlert['currentValue']>): string {
  return units === 'RAW' ? numbers.format(number) : `${numbers.format(number)} ${units}`;
}

interface ActionProps {
  readonly path: `${GroupPath}/alerts`;
  readonly alert: OpenAlert;
  readonly onAcknowledge: () => void;
}

function Action({
  path,
  alert: { id, status, eventTypeName, acknowledgedUntil },
  onAcknowledge,
}: ActionProps) {
  if (status !== 'OPEN') return null;
  if (acknowledgedUntil !== undefined)
    return (
      <Remove
        name={eventTypeName}
        action="Withdraw"
        change={apiRequest('PATCH', `${path}/${id}`, { unacknowledgeAlert: true })}
        consequence="The notifications of the alert are sent again."
      />
    );
  return (
    <Button variant="link" isInline aria-label={`Acknowledge ${eventTypeName}`} onClick={onAcknowledge}>
      Acknowledge
    </Button>
  );
}

interface AcknowledgeProps {
  readonly path: `${GroupPath}/alerts/${string}`;
  readonly alert: OpenAlert;
  readonly onClose: () => void;
}

function Acknowledge({ path, alert, onClose }: AcknowledgeProps) {
  const [hours, setHours] = useState('1');
  const [comment, setComment] = useState('');
  const change = useChange(onClose);
  const acknowledge = async () => {
    const until = new Date((await readServiceTime()) + Number(hours) * HOUR_MS);
    const acknowledgedUntil = `${until.toISOString().slice(0, 19)}Z`;
    const body = { acknowledgedUntil, ...(comment !== '' && { acknowledgementComment: comment }) };
    change.mutate(apiRequest('PATCH', path, body));
  };
  return (
    <FormDialog
      title={`Acknowledge ${alert.eventTypeName}`}
      action="Acknowledge"
      attempt={change}
      onSubmit={acknowledge}
      onClose={onClose}
    >
      <SelectField
        id="hours"
        label="Suspend the notifications of the alert for"
        value={hours}
        options={spans}
        onChange={setHours}
      />
      <TextField
        id="acknowledgementComment"
        label="Comment"
        value={comment}
        onChange={setComment}
        error={change.error}
      />
    </FormDialog>
  );
}
