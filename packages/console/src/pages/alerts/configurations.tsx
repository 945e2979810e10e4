import { Button, Switch } from '@patternfly/react-core';
import { Link, useLocation } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange, useList } from '../../api/resources.ts';
import { breakable } from '../../parts/breakable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Remove } from '../../parts/remove.tsx';
import type { AlertsProps } from './alerts.tsx';
import { titleOf } from './kinds.ts';
import { type Configuration, conditionText, type Notification } from './model.ts';
import { TestConfiguration } from './test-configuration.tsx';

/** The alert configurations of a project: which conditions open alerts, and who is notified. */
export function Configurations({ group, address, isOwner }: AlertsProps) {
  const path = `${group}/alertConfigs` as const;
  const { data, error } = useList(path);
  const [, go] = useLocation();
  return (
    <>
      <Heading title="Alert configurations">
        {isOwner && <Button onClick={() => go(`${address}/configurations/new`)}>Create configuration</Button>}
      </Heading>
      <DataTable<Configuration>
        label="Alert configurations"
        columns={[
          {
            title: 'Event',
            cell: ({ id, eventTypeName }) => (
              <Link href={`${address}/configurations/${id}`} className="words">
                {breakable(eventTypeName)}
              </Link>
            ),
          },
          { title: 'Condition', cell: conditionText },
          {
            title: 'Notifies',
            cell: ({ notifications }) => notifications.map(recipientOf).join(', '),
          },
          {
            title: 'Enabled',
            cell: (one) => <Enabled path={path} configuration={one} isOwner={isOwner} />,
          },
          { title: 'Action', cell: (one) => isOwner && <Actions path={path} configuration={one} /> },
        ]}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Create a configuration to be notified of an event, or when a metric crosses a threshold."
      />
    </>
  );
}

/** Returns the recipient as text: the e-mail address, or the kind of any other notification. */
const recipientOf = ({ typeName, emailAddress }: Notification): string =>
  typeName === 'EMAIL' && typeof emailAddress === 'string' ? emailAddress : titleOf(typeName);

interface EnabledProps {
  readonly path: `${GroupPath}/alertConfigs`;
  readonly configuration: Configuration;
  readonly isOwner: boolean;
}

function Enabled({ path, configuration: { id, enabled, eventTypeName }, isOwner }: EnabledProps) {
  const toggle = useChange();
  return (
    <>
      <Switch
        id={`enabled-${id}`}
        aria-label={`Enable ${eventTypeName}`}
        isChecked={enabled}
        isDisabled={!isOwner || toggle.isPending}
        onChange={(_event, checked) =>
          toggle.mutate(apiRequest('PATCH', `${path}/${id}`, { enabled: checked }))
        }
      />
      <Problem error={toggle.error} />
    </>
  );
}

interface ActionsProps {
  readonly path: `${GroupPath}/alertConfigs`;
  readonly configuration: Configuration;
}

function Actions({ path, configuration }: ActionsProps) {
  const { id, eventTypeName } = configuration;
  return (
    <>
      <TestConfiguration path={path} configuration={configuration} isInline />
      <Remove
        name={eventTypeName}
        change={apiRequest('DELETE', `${path}/${id}`)}
        consequence="The open alerts of the configuration are cancelled."
      />
    </>
  );
}
