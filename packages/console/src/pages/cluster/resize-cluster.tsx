import { Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type Cluster, type ClusterPath, useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { isShared, usePlace, useVersions } from './place.ts';
import { regionsOf, withRegions } from './regions.ts';
import { RegionsField } from './regions-field.tsx';

interface ResizeClusterProps {
  readonly groupId: string;
  readonly path: ClusterPath;
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

/**
 * Changes size, disk, version, backups and regions of a dedicated cluster. Sends only the fields whose values differ
 * from those of the cluster.
 */
export function ResizeCluster({ groupId, path, cluster, onClose }: ResizeClusterProps) {
  const { providerName = '', instanceSizeName = '' } = cluster.providerSettings;
  const place = usePlace(groupId, { provider: providerName, size: instanceSizeName });
  const [version, setVersion] = useState(cluster.dbMajorVersion ?? '');
  const [disk, setDisk] = useState(String(cluster.diskSizeGB ?? ''));
  const [backups, setBackups] = useState(cluster.providerBackupEnabled === true);
  const specs = cluster.replicationSpecs ?? [];
  const initial = specs.map(regionsOf);
  const [zones, setZones] = useState(initial);
  const versions = useVersions(groupId, providerName, place.instanceSizeName);
  const change = useChange(onClose);
  const size = place.instanceSizeName;
  const body = {
    ...(size !== instanceSizeName && { providerSettings: { providerName, instanceSizeName: size } }),
    ...(version !== cluster.dbMajorVersion && { dbMajorVersion: version }),
    ...(Number(disk) !== cluster.diskSizeGB && { diskSizeGB: Number(disk) }),
    ...(backups !== cluster.providerBackupEnabled && { providerBackupEnabled: backups }),
    ...(JSON.stringify(zones) !== JSON.stringify(initial) && {
      replicationSpecs: specs.map((spec, index) => withRegions(spec, zones[index] ?? [])),
    }),
  };
  return (
    <FormDialog
      title={`Change ${cluster.name}`}
      action="Change"
      isReady={Object.keys(body).length > 0}
      attempt={change}
      onSubmit={() => change.mutate(apiRequest('PATCH', path, body))}
      onClose={onClose}
    >
      <p>Nodes change one after another; drivers stay connected.</p>
      <SelectField
        id="size"
        label="Size"
        value={size}
        options={place.sizes.filter((one) => !isShared(one))}
        onChange={place.setSize}
      />
      <SelectField
        id="version"
        label="Version"
        value={version}
        options={[...new Set([version, ...versions])]}
        onChange={setVersion}
      />
      <TextField
        id="disk"
        label="Disk in GB"
        value={disk}
        onChange={setDisk}
        error={change.error}
        field="diskSizeGB"
      />
      <Checkbox
        id="backups"
        label="Take scheduled snapshots"
        isChecked={backups}
        onChange={(_event, checked) => setBackups(checked)}
      />
      {zones.map((regions, index) => (
        <RegionsField
          // biome-ignore lint/suspicious/noArrayIndexKey: zones are not added or removed here
          key={index}
          options={place.regions}
          value={regions}
          onChange={(changed) => setZones(zones.with(index, changed))}
          {...(zones.length > 1 && { zone: specs[index]?.zoneName ?? `zone ${index + 1}` })}
        />
      ))}
    </FormDialog>
  );
}
