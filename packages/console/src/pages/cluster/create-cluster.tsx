import { Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { isShared, providers, usePlace, useVersions } from './place.ts';
import { newZone, type RegionNodes, specOf, withRegions, type ZoneNodes, zonesWithin } from './regions.ts';
import { RegionsField } from './regions-field.tsx';
import { ZonesField } from './zones-field.tsx';

interface CreateClusterProps {
  readonly groupId: string;
  readonly onClose: () => void;
}

type Place = ReturnType<typeof usePlace>;

/** The values of the form, besides provider, size and region. */
interface Answers {
  readonly name: string;
  readonly type: string;
  readonly shards: string;
  readonly version: string;
  readonly disk: string;
  readonly backups: boolean;
  readonly continuous: boolean;
  /** The number of electable nodes in the chosen region. */
  readonly electable: string;
  readonly others: readonly RegionNodes[];
  /** The zones of a global cluster. */
  readonly zones: readonly ZoneNodes[];
}

const empty: Answers = {
  name: '',
  type: 'REPLICASET',
  shards: '1',
  version: '',
  disk: '',
  backups: true,
  continuous: false,
  electable: '3',
  others: [],
  zones: [],
};

const GLOBAL = 'GEOSHARDED';

/** The smallest size of a sharded or global cluster. */
const SMALLEST_SHARDED = 30;

const isLarge = (size: string): boolean => Number(/\d+/.exec(size)?.[0]) >= SMALLEST_SHARDED;

/** The types of a cluster, with the names that people know. */
const types = [
  ['REPLICASET', 'Replica set'],
  ['SHARDED', 'Sharded cluster'],
  [GLOBAL, 'Global cluster: shards in several zones'],
] as const;

/** Whether the cluster has the default nodes: three in one region. */
const isOfDefaultRegion = ({ type, electable, others }: Answers): boolean =>
  type !== GLOBAL && others.length === 0 && electable === empty.electable;

function bodyOf(answers: Answers, { providerName, instanceSizeName, regionName }: Place) {
  const { name, type, shards, version, disk, backups, continuous, electable, others, zones } = answers;
  const place = { instanceSizeName, regionName };
  const regions = [{ region: regionName, electable }, ...others];
  const numShards = type === 'SHARDED' ? Number(shards) : 1;
  if (isShared(instanceSizeName))
    return {
      name,
      providerSettings: { providerName: 'TENANT', backingProviderName: providerName, ...place },
    };
  return {
    name,
    providerBackupEnabled: backups,
    pitEnabled: backups && continuous,
    clusterType: type,
    ...(isOfDefaultRegion(answers)
      ? { numShards, providerSettings: { providerName, ...place } }
      : {
          providerSettings: { providerName, instanceSizeName },
          replicationSpecs:
            type === GLOBAL ? zones.map(specOf) : [withRegions({ numShards, regionsConfig: {} }, regions)],
        }),
    ...(version && { dbMajorVersion: version }),
    ...(disk && { diskSizeGB: Number(disk) }),
  };
}

/** Creates a cluster. Offers the sizes, regions and versions of the service. */
export function CreateCluster({ groupId, onClose }: CreateClusterProps) {
  const [given, setAnswers] = useState(empty);
  const place = usePlace(groupId);
  // Drop the regions that the chosen provider and size do not offer. The person can have added regions before changing
  // the provider or the size.
  const others = given.others.filter(({ region }) => place.regions.includes(region));
  const zones = zonesWithin(given.zones, place.regions);
  const type = isLarge(place.instanceSizeName) ? given.type : empty.type;
  const answers = { ...given, type, others, zones };
  const creation = useChange(onClose);
  const set = (change: Partial<Answers>) => setAnswers({ ...answers, ...change });
  const create = () => {
    const body = bodyOf(answers, place);
    creation.mutate(apiRequest('POST', `/groups/${groupId}/clusters`, body));
  };
  return (
    <FormDialog
      title="Create cluster"
      action="Create"
      isReady={
        answers.name !== '' && place.regionName !== '' && (isOfDefaultRegion(answers) || answers.disk !== '')
      }
      attempt={creation}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField
        id="name"
        label="Name"
        value={answers.name}
        onChange={(name) => set({ name })}
        error={creation.error}
        help="Letters, digits and hyphens"
        isRequired
      />
      <PlaceFields place={place} />
      {!isShared(place.instanceSizeName) && (
        <DedicatedFields groupId={groupId} place={place} answers={answers} set={set} error={creation.error} />
      )}
    </FormDialog>
  );
}

function PlaceFields({ place }: { readonly place: Place }) {
  return (
    <>
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
      {isShared(place.instanceSizeName) && (
        <SelectField
          id="region"
          label="Region"
          value={place.regionName}
          options={place.regions}
          onChange={place.setRegion}
        />
      )}
    </>
  );
}

interface DedicatedFieldsProps {
  readonly groupId: string;
  readonly place: Place;
  readonly answers: Answers;
  readonly set: (change: Partial<Answers>) => void;
  readonly error: Error | null;
}

function DedicatedFields({ groupId, place, answers, set, error }: DedicatedFieldsProps) {
  const versions = useVersions(groupId, place.providerName, place.instanceSizeName);
  const mayHaveShards = isLarge(place.instanceSizeName);
  return (
    <>
      {mayHaveShards && (
        <SelectField
          id="type"
          label="Type"
          value={answers.type}
          options={types}
          onChange={(type) => set({ type, zones: type === GLOBAL ? [newZone(0, place.regionName)] : [] })}
        />
      )}
      {answers.type === GLOBAL ? (
        <ZonesField options={place.regions} value={answers.zones} onChange={(zones) => set({ zones })} />
      ) : (
        <RegionsField
          options={place.regions}
          value={[{ region: place.regionName, electable: answers.electable }, ...answers.others]}
          onChange={([first, ...others]) => {
            place.setRegion(first?.region ?? '');
            set({ electable: first?.electable ?? '', others });
          }}
        />
      )}
      <SelectField
        id="version"
        label="Version"
        value={answers.version}
        options={['', ...versions]}
        onChange={(version) => set({ version })}
      />
      {answers.type === 'SHARDED' && (
        <TextField
          id="shards"
          label="Shards"
          value={answers.shards}
          onChange={(shards) => set({ shards })}
          error={error}
          field="numShards"
        />
      )}
      <StorageFields answers={answers} set={set} error={error} />
    </>
  );
}

function StorageFields({ answers, set, error }: Pick<DedicatedFieldsProps, 'answers' | 'error' | 'set'>) {
  return (
    <>
      <TextField
        id="disk"
        label="Disk in GB"
        value={answers.disk}
        onChange={(disk) => set({ disk })}
        error={error}
        field="diskSizeGB"
        help={
          isOfDefaultRegion(answers)
            ? 'By default, the disk of the chosen size'
            : 'Required unless three nodes are in one region'
        }
        isRequired={!isOfDefaultRegion(answers)}
      />
      <Checkbox
        id="backups"
        label="Take scheduled snapshots"
        isChecked={answers.backups}
        onChange={(_event, backups) => set({ backups })}
      />
      {answers.backups && (
        <Checkbox
          id="continuous"
          label="Continuous backup: restore to any second"
          isChecked={answers.continuous}
          onChange={(_event, continuous) => set({ continuous })}
        />
      )}
    </>
  );
}
