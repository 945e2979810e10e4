import { Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import { type ProviderSizes, useChange, useList } from '../api/resources.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';

interface CreateClusterProps {
  readonly groupId: string;
  readonly onClose: () => void;
}

/** Creates a replica set in one region. Sizes and regions are those that the service offers. */
export function CreateCluster({ groupId, onClose }: CreateClusterProps) {
  const [name, setName] = useState('');
  const [backups, setBackups] = useState(true);
  const place = usePlace(groupId);
  const creation = useChange(onClose);
  const create = () => {
    const { providerName, instanceSizeName, regionName } = place;
    const providerSettings = { providerName, instanceSizeName, regionName };
    const body = { name, providerBackupEnabled: backups, providerSettings };
    creation.mutate({ method: 'POST', path: `/groups/${groupId}/clusters`, body });
  };
  return (
    <FormDialog
      title="Create cluster"
      action="Create"
      isReady={name !== '' && place.regionName !== ''}
      isBusy={creation.isPending}
      error={creation.error}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField
        id="name"
        label="Name"
        value={name}
        onChange={setName}
        error={creation.error}
        help="Letters, digits and hyphens"
        isRequired
      />
      <SelectField
        id="provider"
        label="Provider"
        value={place.providerName}
        options={providers}
        onChange={place.setProvider}
      />
      <SelectField
        id="size"
        label="Size"
        value={place.instanceSizeName}
        options={place.sizes}
        onChange={place.setSize}
      />
      <SelectField
        id="region"
        label="Region"
        value={place.regionName}
        options={place.regions}
        onChange={place.setRegion}
      />
      <Checkbox
        id="backups"
        label="Take scheduled snapshots"
        isChecked={backups}
        onChange={(_event, checked) => setBackups(checked)}
      />
    </FormDialog>
  );
}

const providers = ['AWS', 'GCP', 'AZURE'];

/** Provider, size and region: a choice that does not exist at the chosen provider is replaced by its first. */
function usePlace(groupId: string) {
  const [providerName, setProvider] = useState('AWS');
  const [size, setSize] = useState('M10');
  const [region, setRegion] = useState('');
  const path = `/groups/${groupId}/clusters/provider/regions?providers=${providerName}`;
  const { data = [] } = useList<ProviderSizes>(path);
  const offered = data.flatMap(({ instanceSizes }) => instanceSizes);
  const chosen = offered.find(({ name }) => name === size) ?? offered[0];
  const available = chosen?.availableRegions ?? [];
  const place =
    available.find(({ name }) => name === region) ?? available.find((one) => one.default) ?? available[0];
  return {
    providerName,
    instanceSizeName: chosen?.name ?? '',
    regionName: place?.name ?? '',
    sizes: offered.map(({ name }) => name),
    regions: available.map(({ name }) => name),
    setProvider,
    setSize,
    setRegion,
  };
}
