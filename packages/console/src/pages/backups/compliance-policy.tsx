import { Button, Checkbox, Form } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange, useDocument } from '../../api/resources.ts';
import { Facts } from '../../parts/facts.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { BackupsProps } from './backups.tsx';
import { itemText } from './schedule.tsx';

const onOff = (isOn: boolean | undefined) => (isOn ? 'yes' : 'no');

/** The minimum backup settings that a project requires of all its clusters. */
export function CompliancePolicy({ groupId }: BackupsProps) {
  const path = `/groups/${groupId}/backupCompliancePolicy` as const;
  const { data, error } = useDocument(path);
  if (data === undefined) return <Problem error={error} />;
  if (data.state === undefined) return <CreatePolicy path={path} />;
  return (
    <Facts
      facts={[
        ['State', data.state],
        ['Authorized', data.authorizedEmail],
        ['Continuous backup required', onOff(data.pitEnabled)],
        ['Copies protected', onOff(data.copyProtectionEnabled)],
        ['Encryption at rest required', onOff(data.encryptionAtRestEnabled)],
        [
          'Restore window',
          data.restoreWindowDays === undefined ? undefined : `${data.restoreWindowDays} days`,
        ],
        ['On-demand snapshots', data.onDemandPolicyItem && itemText(data.onDemandPolicyItem)],
        ['Scheduled snapshots', data.scheduledPolicyItems?.map(itemText).join('; ')],
      ]}
    />
  );
}

const KEPT_DAYS = 7;

function CreatePolicy({ path }: { readonly path: `${GroupPath}/backupCompliancePolicy` }) {
  const [names, setNames] = useState({ email: '', first: '', last: '' });
  const [isContinuous, setContinuous] = useState(false);
  const creation = useChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const retention = { retentionUnit: 'days', retentionValue: KEPT_DAYS };
    const body = {
      authorizedEmail: names.email,
      authorizedUserFirstName: names.first,
      authorizedUserLastName: names.last,
      pitEnabled: isContinuous,
      onDemandPolicyItem: { frequencyType: 'ondemand', frequencyInterval: 0, ...retention },
      scheduledPolicyItems: [{ frequencyType: 'daily', frequencyInterval: 1, ...retention }],
    };
    creation.mutate(apiRequest('PUT', `${path}?overwriteBackupPolicies=true`, body));
  };
  const field = (id: keyof typeof names, label: string) => (
    <TextField
      id={id}
      label={label}
      value={names[id]}
      onChange={(value) => setNames({ ...names, [id]: value })}
      isRequired
    />
  );
  return (
    <Form onSubmit={submit} isWidthLimited>
      <p>
        The project has no compliance policy. With one, every cluster has a daily snapshot that is kept for{' '}
        {KEPT_DAYS} days, and nobody can delete snapshots or weaken the policy. The policy can be disabled
        only after the operator has approved this.
      </p>
      {field('email', 'E-mail address of the authorized person')}
      {field('first', 'First name')}
      {field('last', 'Last name')}
      <Checkbox
        id="continuous"
        label="Require continuous backup"
        isChecked={isContinuous}
        onChange={(_event, checked) => setContinuous(checked)}
      />
      <Problem error={creation.error} />
      <div>
        <Button type="submit" variant="danger" isLoading={creation.isPending} isDisabled={names.email === ''}>
          Enable policy
        </Button>
      </div>
    </Form>
  );
}
