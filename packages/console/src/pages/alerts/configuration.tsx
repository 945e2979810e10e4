import { Link } from 'wouter';
import { useDocument, useList } from '../../api/resources.ts';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { AlertsProps } from './alerts.tsx';
import { ConfigurationForm } from './configuration-form.tsx';
import type { Configuration } from './model.ts';
import { TestConfiguration } from './test-configuration.tsx';

const NEW = 'new';

const empty: Configuration = {
  id: NEW,
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  enabled: true,
  matchers: [],
  notifications: [{ typeName: 'GROUP', emailEnabled: true, smsEnabled: false }],
};

interface ConfigurationPageProps extends AlertsProps {
  /** The id of a configuration, or `new`. */
  readonly id: string;
}

export function ConfigurationPage({ id, ...props }: ConfigurationPageProps) {
  return (
    <>
      <Link href={`${props.address}/configurations`}>All alert configurations</Link>
      {id === NEW ? (
        <>
          <Heading title="Create configuration" />
          <WithEventTypes {...props} configuration={empty} isNew />
        </>
      ) : (
        <Existing {...props} id={id} />
      )}
    </>
  );
}

function Existing({ id, ...props }: ConfigurationPageProps) {
  const { data, error } = useDocument(`${props.group}/alertConfigs/${id}`);
  return (
    <>
      <Problem error={error} />
      {data && (
        <>
          <Heading title={data.eventTypeName}>
            {props.isOwner && <TestConfiguration path={`${props.group}/alertConfigs`} configuration={data} />}
          </Heading>
          <WithEventTypes {...props} configuration={data} isNew={false} />
        </>
      )}
    </>
  );
}

interface WithEventTypesProps extends AlertsProps {
  readonly configuration: Configuration;
  readonly isNew: boolean;
}

function WithEventTypes(props: WithEventTypesProps) {
  const { data, error } = useList('/alertConfigs/eventTypes');
  return (
    <>
      <Problem error={error} />
      {data && <ConfigurationForm {...props} eventTypes={data} />}
    </>
  );
}
