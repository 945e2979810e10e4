import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { GenerationState } from '../../search/file/search-reader.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { addressOf } from '../shared/members.ts';

/** What lists of search indexes show of one. */
export function describeIndex(index: SearchIndexRow, cluster: ClusterContext): RawDocument {
  const states = cluster.search.states(index.id);
  const newest = states.find(({ version }) => version === index.version);
  const serving = states.findLast(({ status }) => status === 'READY');
  const status = newest?.status ?? 'PENDING';
  const queryable = serving !== undefined;
  const versionOf = ({ version, created }: { version: number; created: number }) => ({
    version: BigInt(version),
    createdAt: new Date(created),
  });
  const shown = (state: GenerationState) => ({
    status: state.status,
    queryable: state.status === 'READY',
    definitionVersion: versionOf(state),
    definition: state.definition,
    ...(state.message === undefined ? {} : { message: state.message }),
  });
  const staged = newest !== undefined && newest !== serving ? newest : undefined;
  return new RawDocument(
    encodeDocument({
      id: index.id,
      name: index.name,
      type: index.type,
      status,
      queryable,
      latestVersion: BigInt(index.version),
      latestDefinition: index.definition,
      latestDefinitionVersion: versionOf(index),
      ...(newest?.message === undefined ? {} : { message: newest.message }),
      numDocs: BigInt(serving?.documents ?? 0),
      statusDetail: cluster.topology.members
        .filter(({ state }) => state === 'PRIMARY' || state === 'SECONDARY')
        .map((member) => ({
          hostname: addressOf(member),
          status,
          queryable,
          ...(serving === undefined && staged === undefined
            ? {}
            : { mainIndex: shown((serving ?? staged) as GenerationState) }),
          ...(serving === undefined || staged === undefined ? {} : { stagedIndex: shown(staged) }),
        })),
    }),
  );
}
