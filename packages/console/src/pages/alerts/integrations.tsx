import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange, useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import type { AlertsProps } from './alerts.tsx';
import { KindFields } from './kind-fields.tsx';
import { kinds, titleOf } from './kinds.ts';
import type { Integration } from './notifications.tsx';

const types = Object.entries(kinds)
  .filter(([, { byIntegration }]) => byIntegration)
  .map(([name]) => name);

/** The accounts at other services that the notifications of a project use. */
export function Integrations({ group, isOwner }: AlertsProps) {
  const path = `${group}/integrations` as const;
  const { data, error } = useList(path);
  const [dialog, setDialog] = useState<Integration | 'new'>();
  const free = types.filter((name) => !data?.some(({ type }) => type === name));
  return (
    <>
      <Heading title="Integrations">
        {isOwner && free.length > 0 && <Button onClick={() => setDialog('new')}>Add integration</Button>}
      </Heading>
      <DataTable<Integration>
        label="Integrations"
        columns={[
          { title: 'Service', cell: ({ type }) => titleOf(type) },
          {
            title: 'Settings',
            cell: (one) =>
              kinds[one.type]?.fields
                .filter(({ name }) => one[name] !== undefined)
                .map(({ name, label }) => `${label}: ${one[name]}`)
                .join('; '),
          },
          {
            title: 'Action',
            cell: (one) =>
              isOwner && (
                <>
                  <Button
                    variant="link"
                    isInline
                    className="beside"
                    aria-label={`Edit ${titleOf(one.type)}`}
                    onClick={() => setDialog(one)}
                  >
                    Edit
                  </Button>
                  <Remove
                    name={titleOf(one.type)}
                    change={apiRequest('DELETE', `${path}/${one.type}`)}
                    consequence="An integration that a notification uses cannot be deleted."
                  />
                </>
              ),
          },
        ]}
        rows={data}
        keyOf={({ type }) => type}
        error={error}
        empty="Add the account of a service, such as Slack or a webhook, for notifications of alerts."
      />
      {dialog && (
        <IntegrationDialog
          path={path}
          integration={dialog === 'new' ? undefined : dialog}
          free={free}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

interface IntegrationDialogProps {
  readonly path: `${GroupPath}/integrations`;
  /** The integration to change; absent for a new one. */
  readonly integration: Integration | undefined;
  /** The types that the project does not have. */
  readonly free: readonly string[];
  readonly onClose: () => void;
}

function IntegrationDialog({ path, integration, free, onClose }: IntegrationDialogProps) {
  const [type, setType] = useState(integration?.type ?? free[0] ?? '');
  const fields = kinds[type]?.fields ?? [];
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(integration ?? {});
  const saving = useChange(onClose);
  const save = () => {
    const given = fields.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]]));
    const body = { type, ...Object.fromEntries(given) };
    saving.mutate(apiRequest(integration ? 'PUT' : 'POST', `${path}/${type}`, body));
  };
  return (
    <FormDialog
      title={integration ? `Change ${titleOf(type)}` : 'Add integration'}
      action={integration ? 'Save' : 'Add'}
      attempt={saving}
      onSubmit={save}
      onClose={onClose}
    >
      {!integration && (
        <SelectField
          id="type"
          label="Service"
          value={type}
          options={free.map((name) => [name, titleOf(name)])}
          onChange={setType}
        />
      )}
      <KindFields
        typeName={type}
        values={values}
        onChange={(name, value) => setValues({ ...values, [name]: value })}
        error={saving.error}
        path=""
        suffix=""
      />
    </FormDialog>
  );
}
