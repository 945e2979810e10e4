import { Button, Form, FormGroup, TextInput } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { useChange, useDocument, useList } from '../../api/resources.ts';
import { clusterManagers } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { Moment } from '../../parts/date.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Restricted } from '../../parts/restricted.tsx';
import type { BackupsProps } from './backups.tsx';
import { MomentPicker } from './moment-picker.tsx';
import { Target } from './restore-dialogs.tsx';
import { localText, windowOf } from './restore-window.ts';
import { snapshotsPath } from './snapshots-path.ts';

const SECOND_MS = 1000;

/** Restores a cluster to any second of the restore window. */
export function PointInTime(props: BackupsProps) {
  const { path, cluster, may } = props;
  const change = useChange();
  if (cluster.pitEnabled)
    return (
      <Restricted may={may} roles={['GROUP_BACKUP_MANAGER']}>
        {() => <RestoreForm {...props} />}
      </Restricted>
    );
  const enable = () =>
    change.mutate(apiRequest('PATCH', path, { providerBackupEnabled: true, pitEnabled: true }));
  return (
    <>
      <p>
        Continuous backup keeps every change, so that the cluster can be restored as it was at any second of
        the restore window.
      </p>
      <Problem error={change.error} />
      <Restricted may={may} roles={clusterManagers}>
        {() => (
          <Button className="gap" onClick={enable} isLoading={change.isPending}>
            Turn on continuous backup
          </Button>
        )}
      </Restricted>
    </>
  );
}

function RestoreForm({ groupId, path, cluster }: BackupsProps) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [target, setTarget] = useState(cluster.name);
  const { data: schedule } = useDocument(`${path}/backup/schedule`);
  const { data: snapshots } = useList(snapshotsPath(path, cluster));
  const restoring = useChange(() =>
    go(`/projects/${groupId}/backups/${encodeURIComponent(cluster.name)}/restores`),
  );
  // The value of the field has no time zone. It is read in the time zone of the browser.
  const moment = new Date(text).getTime();
  const isReady = Number.isFinite(moment);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      deliveryType: 'pointInTime',
      pointInTimeUTCSeconds: Math.floor(moment / SECOND_MS),
      targetClusterName: target,
      targetGroupId: groupId,
    };
    if (isReady) restoring.mutate(apiRequest('POST', `${path}/backup/restoreJobs`, body));
  };
  const { data: session } = useSession();
  const period = windowOf(schedule?.restoreWindowDays, snapshots ?? [], session?.serviceTime);
  const isRead = schedule !== undefined && snapshots !== undefined && session !== undefined;
  return (
    <Form onSubmit={submit} isWidthLimited>
      {period ? (
        <>
          <p>
            The cluster can be restored to any second since{' '}
            <Moment at={new Date(period.begin).toISOString()} />.
          </p>
          <MomentPicker
            {...period}
            snapshots={snapshots ?? []}
            moment={isReady ? moment : undefined}
            onPick={(picked) => setText(localText(picked))}
          />
        </>
      ) : (
        isRead && (
          <p>A restore needs a snapshot: take one under Snapshots, or wait for the next scheduled one.</p>
        )
      )}
      <Problem error={restoring.error} />
      <FormGroup label="Point in time, in your time zone" fieldId="moment" isRequired>
        <TextInput
          id="moment"
          type="datetime-local"
          step="1"
          value={text}
          onChange={(_event, value) => setText(value)}
        />
      </FormGroup>
      {isReady && (
        <p>
          The data of {target} is replaced by that of <Moment at={new Date(moment).toISOString()} /> (
          {new Date(moment).toISOString()}).
        </p>
      )}
      <Target groupId={groupId} value={target} onChange={setTarget} />
      <div>
        <Button type="submit" variant="danger" isDisabled={!isReady} isLoading={restoring.isPending}>
          Restore
        </Button>
      </div>
    </Form>
  );
}
