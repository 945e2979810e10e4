import { Button, Checkbox, Form } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange, useDocument } from '../../api/resources.ts';
import { isSound, JsonField } from '../../parts/json-field.tsx';
import { Problem } from '../../parts/problem.tsx';

type Configuration = Schemas['AuditLog'];

/** Which messages the clusters of a project write to their audit logs. */
export function Auditing({ groupId }: { readonly groupId: string }) {
  const path = `/groups/${groupId}/auditLog` as const;
  const { data, error } = useDocument(path);
  return (
    <>
      <Problem error={error} />
      {data && <AuditingForm path={path} configuration={data} />}
    </>
  );
}

interface AuditingFormProps {
  readonly path: `${GroupPath}/auditLog`;
  readonly configuration: Configuration;
}

function AuditingForm({ path, configuration }: AuditingFormProps) {
  const [isEnabled, setEnabled] = useState(configuration.enabled);
  const [hasSuccesses, setSuccesses] = useState(configuration.auditAuthorizationSuccess);
  const [filter, setFilter] = useState(configuration.auditFilter ?? '');
  const saving = useChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      enabled: isEnabled,
      auditAuthorizationSuccess: hasSuccesses,
      auditFilter: filter.trim() || '{}',
    };
    saving.mutate(apiRequest('PATCH', path, body));
  };
  return (
    <Form onSubmit={submit}>
      <Checkbox
        id="audited"
        label="Audit the clusters of the project"
        isChecked={isEnabled}
        onChange={(_event, checked) => setEnabled(checked)}
      />
      <Checkbox
        id="successes"
        label="Include successful authorization checks"
        isChecked={hasSuccesses}
        onChange={(_event, checked) => setSuccesses(checked)}
      />
      <JsonField
        id="audit-filter"
        label="Filter"
        rows={6}
        value={filter}
        onChange={setFilter}
        help='A query over audit messages, such as {"atype": "authenticate"}'
      />
      <Problem error={saving.error} />
      <div>
        <Button type="submit" isDisabled={!isSound(filter)} isLoading={saving.isPending}>
          Save auditing
        </Button>{' '}
        {saving.isSuccess && <span role="status">Saved.</span>}
      </div>
    </Form>
  );
}
