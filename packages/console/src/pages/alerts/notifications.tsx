import {
  Button,
  Checkbox,
  FormFieldGroup,
  FormFieldGroupHeader,
  Gallery,
  Stack,
  StackItem,
} from '@patternfly/react-core';
import { type GroupPath, useList } from '../../api/resources.ts';
import { RemoveEntry } from '../../parts/remove-entry.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { KindFields } from './kind-fields.tsx';
import { kinds } from './kinds.ts';
import type { Notification } from './model.ts';

/** An integration. The type determines which other fields it has, and `kinds` lists these fields. */
export interface Integration {
  readonly id?: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

interface NotificationsProps {
  readonly group: GroupPath;
  readonly value: readonly Notification[];
  readonly onChange: (value: readonly Notification[]) => void;
  readonly error: Error | null;
}

/** The recipients of the notifications about an alert, and how they are notified. */
export function Notifications({ group, value, onChange, error }: NotificationsProps) {
  const { data: integrations = [] } = useList(`${group}/integrations`);
  const replace = (at: number, changed: Notification) =>
    onChange(value.map((one, index) => (index === at ? changed : one)));
  return (
    <FormFieldGroup
      header={
        <FormFieldGroupHeader
          titleText={{ text: 'Notifications', id: 'notifications-title' }}
          titleDescription={value.length === 0 ? 'A configuration needs at least one notification.' : ''}
          actions={
            <Button
              variant="secondary"
              onClick={() => onChange([...value, { typeName: 'EMAIL', intervalMin: 60 }])}
            >
              Add notification
            </Button>
          }
        />
      }
    >
      {value.map((notification, index) => (
        <OneNotification
          // biome-ignore lint/suspicious/noArrayIndexKey: new notifications have no identity
          key={index}
          number={index + 1}
          value={notification}
          integration={integrations.find(({ type }) => type === notification.typeName)}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => onChange(value.toSpliced(index, 1))}
          error={error}
        />
      ))}
    </FormFieldGroup>
  );
}

interface OneNotificationProps {
  readonly number: number;
  readonly value: Notification;
  /** The integration of the project for this kind of notification. */
  readonly integration: Integration | undefined;
  readonly onChange: (value: Notification) => void;
  readonly onRemove: () => void;
  readonly error: Error | null;
}

function OneNotification({ number, value, integration, onChange, onRemove, error }: OneNotificationProps) {
  const { typeName } = value;
  const path = `notifications.${number - 1}.`;
  const set = (name: string, changed: unknown) => {
    const { [name]: _, ...rest } = value;
    onChange({ ...rest, typeName, ...(changed !== undefined && { [name]: changed }) });
  };
  const minutes = (name: string, label: string) => (
    <TextField
      id={`${path}${name}`}
      label={`${label} of notification ${number}`}
      type="number"
      value={value[name] === undefined ? '' : String(value[name])}
      onChange={(text) => set(name, text === '' ? undefined : Number(text))}
      error={error}
    />
  );
  return (
    <Stack hasGutter className="stage">
      <StackItem>
        <SelectField
          id={`${path}typeName`}
          label={`Kind of notification ${number}`}
          value={typeName}
          options={Object.entries(kinds).map(([name, { title }]) => [name, title])}
          onChange={(name) => onChange({ typeName: name })}
        />
      </StackItem>
      <StackItem>
        {integration && (
          <Checkbox
            id={`${path}integrationId`}
            label={`Use the integration of the project for notification ${number}`}
            isChecked={value.integrationId === integration.id}
            onChange={(_event, checked) => set('integrationId', checked ? integration.id : undefined)}
          />
        )}
        <KindFields
          typeName={typeName}
          values={value}
          onChange={set}
          error={error}
          path={path}
          suffix={` of notification ${number}`}
        />
      </StackItem>
      <StackItem>
        <Gallery hasGutter minWidths={{ default: '16rem' }} className="gap">
          {minutes('delayMin', 'Delay in minutes')}
          {kinds[typeName]?.repeatsItself !== true && minutes('intervalMin', 'Minutes between repetitions')}
        </Gallery>
        <RemoveEntry name={`notification ${number}`} onRemove={onRemove} />
      </StackItem>
    </Stack>
  );
}
