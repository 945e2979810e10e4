import { useLocation } from 'wouter';
import type { DatabasePlace } from '../../api/commands.ts';
import type { May } from '../../api/rights.ts';
import { TabView } from '../../parts/tab-view.tsx';
import { Aggregation } from './aggregation.tsx';
import { Documents } from './documents.tsx';
import { Indexes } from './indexes.tsx';
import { Search } from './search.tsx';

/** A collection, and the database that contains it. */
export interface CollectionProps {
  readonly place: DatabasePlace;
  readonly collection: string;
  readonly may: May;
}

interface CollectionViewProps extends CollectionProps {
  readonly tab: string | undefined;
  readonly at: (...names: readonly string[]) => string;
}

const tabsOf = (props: CollectionProps) =>
  ({
    documents: ['Documents', () => <Documents {...props} />],
    aggregation: ['Aggregation', () => <Aggregation {...props} />],
    indexes: ['Indexes', () => <Indexes {...props} />],
    search: ['Search', () => <Search {...props} />],
  }) as const;

export function CollectionView({ tab = 'documents', at, ...props }: CollectionViewProps) {
  const [, go] = useLocation();
  return (
    <TabView
      label="Views of the collection"
      active={tab}
      onSelect={(key) => go(at(props.place.database, props.collection, key))}
      tabs={tabsOf(props)}
    />
  );
}
