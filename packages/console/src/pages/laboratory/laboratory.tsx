import { useLocation } from 'wouter';
import { TabView } from '../../parts/tab-view.tsx';
import { View } from '../../parts/view.tsx';
import { ServiceClock } from './clock.tsx';
import { Faults } from './faults.tsx';
import { Mails } from './mails.tsx';
import { SeedTab } from './seed.tsx';
import { States } from './states.tsx';

const tabs = {
  clock: ['Clock', () => <ServiceClock />],
  faults: ['Faults', () => <Faults />],
  states: ['Saved states', () => <States />],
  seed: ['Seed', () => <SeedTab />],
  mails: ['Inbox', () => <Mails />],
} as const;

interface LaboratoryPageProps {
  readonly isOperator: boolean;
  readonly tab: string | undefined;
}

/** What operators use to test clients: time, faults, saved states and seeds of the whole service. */
export function LaboratoryPage({ isOperator, tab = 'clock' }: LaboratoryPageProps) {
  const [, go] = useLocation();
  if (!isOperator) return <View title="Laboratory">Only the operator can change the service.</View>;
  return (
    <View title="Laboratory">
      <TabView
        label="Parts of the laboratory"
        tabs={tabs}
        active={tab}
        onSelect={(key) => go(`/laboratory/${key}`)}
      />
    </View>
  );
}
