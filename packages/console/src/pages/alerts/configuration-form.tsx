import { Button, Checkbox, Form } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { Problem } from '../../parts/problem.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import type { AlertsProps } from './alerts.tsx';
import { Matchers } from './matchers.tsx';
import type { Configuration, EventType, Threshold } from './model.ts';
import { Notifications } from './notifications.tsx';
import { completed, ThresholdFields } from './threshold-fields.tsx';

interface ConfigurationFormProps extends AlertsProps {
  /** The configuration as it was when the form was opened. */
  readonly configuration: Configuration;
  readonly isNew: boolean;
  readonly eventTypes: readonly EventType[];
}

/** The fields of an alert configuration. */
export function ConfigurationForm(props: ConfigurationFormProps) {
  const { group, address, isOwner, isNew, eventTypes, configuration } = props;
  const [value, setValue] = useState(configuration);
  const [threshold, setThreshold] = useState<Threshold>(
    configuration.metricThreshold ?? configuration.threshold ?? {},
  );
  const [, go] = useLocation();
  const saving = useChange<Configuration>(({ id }) => isNew && go(`${address}/configurations/${id}`));
  const eventType = eventTypes.find(({ eventTypeName }) => eventTypeName === value.eventTypeName);
  const set = (change: Partial<Configuration>) => setValue({ ...value, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { eventTypeName, enabled, matchers, notifications, severityOverride } = value;
    const field = eventType?.threshold?.field;
    const body = {
      ...{ eventTypeName, enabled, matchers, notifications },
      ...(severityOverride && { severityOverride }),
      ...(eventType && field !== undefined && { [field]: completed(eventType, threshold) }),
    };
    const path = `${group}/alertConfigs` as const;
    saving.mutate(
      isNew ? apiRequest('POST', path, body) : apiRequest('PUT', `${path}/${configuration.id}`, body),
    );
  };
  return (
    <Form onSubmit={submit} className="gap">
      <SelectField
        id="eventTypeName"
        label="Event"
        value={value.eventTypeName}
        options={eventTypes.map((one) => [one.eventTypeName, `${one.description} (${one.eventTypeName})`])}
        onChange={(eventTypeName) => set({ eventTypeName, matchers: [] })}
      />
      {eventType && (
        <ThresholdFields
          eventType={eventType}
          value={threshold}
          onChange={setThreshold}
          error={saving.error}
        />
      )}
      <Matchers
        fields={eventType?.matcherFields ?? []}
        value={value.matchers}
        onChange={(matchers) => set({ matchers })}
        error={saving.error}
      />
      <Notifications
        group={group}
        value={value.notifications}
        onChange={(notifications) => set({ notifications })}
        error={saving.error}
      />
      <SelectField
        id="severityOverride"
        label="Severity"
        value={value.severityOverride ?? ''}
        options={[['', 'default of the event type'], 'INFO', 'WARNING', 'ERROR', 'CRITICAL']}
        onChange={(severityOverride) => set({ severityOverride })}
      />
      <Checkbox
        id="enabled"
        label="Enabled"
        isChecked={value.enabled}
        onChange={(_event, enabled) => set({ enabled })}
      />
      <Problem error={saving.error} />
      <div>
        {isOwner && (
          <Button type="submit" isLoading={saving.isPending}>
            {isNew ? 'Create' : 'Save configuration'}
          </Button>
        )}{' '}
        {saving.isSuccess && <span role="status">Saved.</span>}
      </div>
    </Form>
  );
}
