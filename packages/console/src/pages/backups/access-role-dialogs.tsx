import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange } from '../../api/resources.ts';
import { Copied } from '../../parts/copied.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { type AccessRole, providers } from './access-roles.ts';

interface AddAccessRoleProps {
  readonly path: `${GroupPath}/cloudProviderAccess`;
  readonly onClose: () => void;
}

const azureFields = {
  tenantId: 'Id of the tenant',
  platformAzureAppId: 'Id of the application',
  servicePrincipalId: 'Id of the service principal',
};

/** Adds a role. A role at AWS must be authorized afterwards. */
export function AddAccessRole({ path, onClose }: AddAccessRoleProps) {
  const [providerName, setProvider] = useState('AWS');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const adding = useChange(onClose);
  const isAzure = providerName === 'AZURE';
  const body = { providerName, ...(isAzure && values) };
  return (
    <FormDialog
      title="Add role"
      action="Add"
      attempt={adding}
      onSubmit={() => adding.mutate(apiRequest('POST', path, body))}
      onClose={onClose}
    >
      <SelectField
        id="providerName"
        label="Provider"
        value={providerName}
        options={providers}
        onChange={setProvider}
      />
      {isAzure &&
        Object.entries(azureFields).map(([name, label]) => (
          <TextField
            key={name}
            id={name}
            label={label}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value })}
            error={adding.error}
            isRequired
          />
        ))}
    </FormDialog>
  );
}

interface AuthorizeRoleProps {
  readonly path: `${GroupPath}/cloudProviderAccess`;
  readonly role: AccessRole;
  readonly onClose: () => void;
}

/** Authorizes an access role: the person enters the ARN of the AWS role that trusts the service. */
export function AuthorizeRole({ path, role, onClose }: AuthorizeRoleProps) {
  const [iamAssumedRoleArn, setArn] = useState('');
  const change = useChange(onClose);
  const body = { providerName: 'AWS', iamAssumedRoleArn };
  return (
    <FormDialog
      title="Authorize role"
      action="Authorize"
      isReady={iamAssumedRoleArn !== ''}
      attempt={change}
      onSubmit={() => change.mutate(apiRequest('PATCH', `${path}/${role.id}`, body))}
      onClose={onClose}
    >
      <p>Create a role at AWS that trusts this account with this external id, then enter its ARN.</p>
      <Copied label="account" text={role.platformAWSAccountArn ?? ''} />
      <Copied label="external id" text={role.platformAssumedRoleExternalId ?? ''} />
      <TextField
        id="iamAssumedRoleArn"
        label="ARN of the role"
        value={iamAssumedRoleArn}
        onChange={setArn}
        error={change.error}
        help="Such as arn:aws:iam::123456789012:role/exports"
        isRequired
      />
    </FormDialog>
  );
}
