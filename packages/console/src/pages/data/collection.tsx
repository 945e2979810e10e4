import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import { useLocation } from 'wouter';
import type { DatabasePlace } from '../../api/commands.ts';
import { Aggregation } from './aggregation.tsx';
import { Documents } from './documents.tsx';
import { Indexes } from './indexes.tsx';

/** A collection, and where it is. */
export interface CollectionProps {
  readonly place: DatabasePlace;
  readonly collection: string;
}

interface CollectionViewProps extends CollectionProps {
  readonly tab: string | undefined;
  readonly at: (...names: readonly string[]) => string;
}

const tabs = { documents: Documents, aggregation: Aggregation, indexes: Indexes } as const;

export function CollectionView({ place, collection, tab = 'documents', at }: CollectionViewProps) {
  const [, go] = useLocation();
  return (
    <Tabs
      aria-label="Views of the collection"
      activeKey={tab}
      onSelect={(_event, key) => go(at(place.database, collection, String(key)))}
      mountOnEnter
      unmountOnExit
    >
      {Object.entries(tabs).map(([key, Content]) => (
        <Tab
          key={key}
          eventKey={key}
          title={<TabTitleText>{key.charAt(0).toUpperCase() + key.slice(1)}</TabTitleText>}
        >
          <Content place={place} collection={collection} />
        </Tab>
      ))}
    </Tabs>
  );
}
