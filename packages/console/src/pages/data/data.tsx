import { Breadcrumb, BreadcrumbItem, Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { documentsOf, useCommand } from '../../api/commands.ts';
import type { ClusterPath } from '../../api/resources.ts';
import { type May, useProjectRights } from '../../api/rights.ts';
import { ClusterChoice, clusterPath } from '../../parts/cluster-choice.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Paused } from '../../parts/paused.tsx';
import { MissingRole, Restricted } from '../../parts/restricted.tsx';
import { sizeText } from '../../parts/size.ts';
import { View } from '../../parts/view.tsx';
import { CollectionView } from './collection.tsx';
import { dataAddress } from './data-address.ts';
import { OpenCollection } from './open-collection.tsx';

interface DataPageProps {
  readonly groupId: string;
  /** The names of a cluster, a database, a collection and a tab. */
  readonly place: readonly string[];
}

/** Depending on the path: the databases of a cluster, the collections of a database, or one collection. */
export function DataPage({ groupId, place: [name, ...inside] }: DataPageProps) {
  const at = (...names: readonly string[]) => dataAddress(groupId, ...names);
  const may = useProjectRights(groupId);
  return (
    <View title="Data">
      <ClusterChoice groupId={groupId} name={name} at={at}>
        {(cluster) => (
          <Restricted may={may} roles={['GROUP_DATA_ACCESS_READ_ONLY']}>
            {() =>
              cluster.paused ? (
                <Paused groupId={groupId} cluster={cluster} to="see its data" />
              ) : (
                <Content
                  path={clusterPath(groupId, cluster.name)}
                  may={may}
                  inside={inside}
                  at={(...names) => at(cluster.name, ...names)}
                />
              )
            }
          </Restricted>
        )}
      </ClusterChoice>
    </View>
  );
}

interface ContentProps {
  readonly path: ClusterPath;
  readonly may: May;
  readonly inside: readonly string[];
  /** The address of the page for a database, collection or tab of the cluster. */
  readonly at: (...names: readonly string[]) => string;
}

function Content({ path, may, inside: [database, collection, tab], at }: ContentProps) {
  const [, go] = useLocation();
  const [isOpening, setOpening] = useState(false);
  return (
    <>
      <Breadcrumb aria-label="Place" className="gap">
        <BreadcrumbItem to={`#${at()}`} isActive={database === undefined}>
          Databases
        </BreadcrumbItem>
        {database !== undefined && (
          <BreadcrumbItem to={`#${at(database)}`} isActive={collection === undefined}>
            {database}
          </BreadcrumbItem>
        )}
        {collection !== undefined && <BreadcrumbItem isActive>{collection}</BreadcrumbItem>}
      </Breadcrumb>
      <MissingRole may={may} roles={['GROUP_DATA_ACCESS_READ_WRITE']} to="change documents and indexes" />
      {collection === undefined && may('GROUP_DATA_ACCESS_READ_WRITE') && (
        <Button variant="secondary" className="gap" onClick={() => setOpening(true)}>
          New collection
        </Button>
      )}
      {isOpening && (
        <OpenCollection
          {...(database === undefined ? {} : { database })}
          onOpen={(...names) => go(at(...names))}
          onClose={() => setOpening(false)}
        />
      )}
      {database === undefined && <Databases path={path} at={at} />}
      {database !== undefined && collection === undefined && (
        <Collections path={path} database={database} at={at} />
      )}
      {database !== undefined && collection !== undefined && (
        <CollectionView place={{ path, database }} collection={collection} may={may} tab={tab} at={at} />
      )}
    </>
  );
}

interface DatabaseFacts {
  readonly name: string;
  readonly sizeOnDisk: number;
}

function Databases({ path, at }: Omit<ContentProps, 'inside' | 'may'>) {
  const { data, error } = useCommand(
    { path, database: 'admin' },
    { listDatabases: 1, authorizedDatabases: true },
  );
  return (
    <DataTable<DatabaseFacts>
      label="Databases"
      columns={[
        { title: 'Name', cell: ({ name }) => <Link href={at(name)}>{name}</Link> },
        { title: 'Size', cell: ({ sizeOnDisk }) => sizeText(sizeOnDisk) },
      ]}
      rows={data?.reply.databases as readonly DatabaseFacts[] | undefined}
      keyOf={({ name }) => name}
      error={error}
      empty="A database appears with its first document: open a new collection, or connect a driver."
    />
  );
}

interface CollectionFacts {
  readonly name: string;
  readonly type: string;
}

function Collections({
  path,
  database,
  at,
}: Omit<ContentProps, 'inside' | 'may'> & { readonly database: string }) {
  const { data, error } = useCommand({ path, database }, { listCollections: 1, nameOnly: true });
  const rows = documentsOf(data) as readonly CollectionFacts[] | undefined;
  return (
    <DataTable<CollectionFacts>
      label="Collections"
      columns={[
        { title: 'Name', cell: ({ name }) => <Link href={at(database, name)}>{name}</Link> },
        { title: 'Type', cell: ({ type }) => type },
      ]}
      rows={rows?.toSorted((one, other) => one.name.localeCompare(other.name))}
      keyOf={({ name }) => name}
      error={error}
      empty="A collection appears when its first document is inserted."
    />
  );
}
