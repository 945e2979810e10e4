import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange, useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { isUsable, providers, roleText, useAccessRoles } from './access-roles.ts';
import type { ExportBucket } from './snapshot-dialogs.tsx';

interface ExportBucketsProps {
  /** The path of the project. */
  readonly group: GroupPath;
  readonly isOwner: boolean;
}

/** The buckets that receive exports. */
export function ExportBuckets({ group, isOwner }: ExportBucketsProps) {
  const path = `${group}/backup/exportBuckets` as const;
  const { data, error } = useList(path);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Heading title="Export buckets">
        {isOwner && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            Add bucket
          </Button>
        )}
      </Heading>
      <DataTable<ExportBucket>
        label="Export buckets"
        columns={[
          { title: 'Bucket', cell: ({ bucketName }) => bucketName },
          { title: 'Provider', cell: ({ cloudProvider }) => cloudProvider },
          {
            title: 'Action',
            cell: ({ _id, bucketName }) =>
              isOwner && (
                <Remove
                  name={bucketName}
                  change={apiRequest('DELETE', `${path}/${_id}`)}
                  consequence="The objects in the bucket are kept. A bucket to which snapshots are exported automatically cannot be deleted."
                />
              ),
          },
        ]}
        rows={data}
        keyOf={({ _id }) => _id}
        error={error}
        empty="Add a bucket of your cloud provider, to which an access role gives access."
      />
      {isAdding && <AddBucket group={group} path={path} onClose={() => setAdding(false)} />}
    </>
  );
}

interface AddBucketProps {
  readonly group: GroupPath;
  readonly path: `${GroupPath}/backup/exportBuckets`;
  readonly onClose: () => void;
}

function AddBucket({ group, path, onClose }: AddBucketProps) {
  const { roles = [], error: rolesError } = useAccessRoles(group);
  const [cloudProvider, setProvider] = useState('AWS');
  const [bucketName, setName] = useState('');
  const [serviceUrl, setUrl] = useState('');
  const [chosen, setRole] = useState<string>();
  const adding = useChange(onClose);
  const usable = roles.filter((role) => role.providerName === cloudProvider && isUsable(role));
  const role = usable.find(({ id }) => id === chosen) ?? usable[0];
  const isAzure = cloudProvider === 'AZURE';
  const body = {
    cloudProvider,
    bucketName,
    [cloudProvider === 'AWS' ? 'iamRoleId' : 'roleId']: role?.id,
    ...(isAzure && { serviceUrl }),
  };
  return (
    <FormDialog
      title="Add bucket"
      action="Add"
      isReady={bucketName !== '' && role !== undefined}
      attempt={{ isPending: adding.isPending, error: adding.error ?? rolesError }}
      onSubmit={() => adding.mutate(apiRequest('POST', path, body))}
      onClose={onClose}
    >
      <SelectField
        id="provider"
        label="Provider"
        value={cloudProvider}
        options={providers}
        onChange={setProvider}
      />
      <TextField
        id="bucketName"
        label={isAzure ? 'Container' : 'Bucket'}
        value={bucketName}
        onChange={setName}
        error={adding.error}
        help="The service writes a test object to the bucket."
        isRequired
      />
      {isAzure && (
        <TextField
          id="serviceUrl"
          label="URL of the storage account"
          value={serviceUrl}
          onChange={setUrl}
          error={adding.error}
          isRequired
        />
      )}
      <SelectField
        id="role"
        label="Access role"
        value={role?.id ?? ''}
        options={usable.map((one) => [one.id, roleText(one)])}
        onChange={setRole}
        help={
          usable.length === 0 ? 'Add and authorize a role of this provider under Access roles first.' : ''
        }
      />
    </FormDialog>
  );
}
