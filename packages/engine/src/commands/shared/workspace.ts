import type { Environment } from '../../language/environment.ts';
import { type MemoryCategory, STAGE_BYTES, type Workspace } from '../../language/workspace.ts';
import type { ClusterContext } from '../context/cluster.ts';

const limits: Readonly<Record<MemoryCategory, string | undefined>> = {
  sort: 'internalQueryMaxBlockingSortMemoryUsageBytes',
  group: 'internalDocumentSourceGroupMaxMemoryBytes',
  window: 'internalDocumentSourceSetWindowFieldsMaxMemoryBytes',
  other: undefined,
};

/** Returns the storage that pipeline stages may use: memory up to the configured limits, and then the disk. */
export function workspaceOf({ parameters, store, operations }: ClusterContext): Workspace {
  return {
    use: operations.current?.memory ?? { bytes: 0 },
    bytes(keeper) {
      const name = limits[keeper];
      const value = name === undefined ? undefined : parameters.value(name);
      return value === undefined ? STAGE_BYTES : Number(value);
    },
    get disk() {
      return parameters.value('allowDiskUseByDefault') !== false;
    },
    open: () => store.temporaryFile(),
    noted(what) {
      const { examined } = store.running;
      if (what === 'sort') examined.sorted = true;
      else examined.spilledSorts++;
    },
  };
}

/** Overrides `allowDiskUse` in the environment if the command sets it. */
export function withDisk(environment: Environment, disk: boolean | undefined): Environment {
  const { workspace } = environment;
  if (disk === undefined || workspace === undefined) return environment;
  const { bytes, open, noted, use } = workspace;
  return { ...environment, workspace: { bytes, open, disk, use, ...(noted && { noted }) } };
}
