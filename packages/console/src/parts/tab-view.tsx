import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import { type ReactNode, useEffect, useRef } from 'react';

interface TabViewProps {
  readonly label: string;
  /** The tabs by key: the title, and the content of the tab. */
  readonly tabs: Readonly<Record<string, readonly [title: string, content: () => ReactNode]>>;
  readonly active: string;
  readonly onSelect: (key: string) => void;
}

/** A row of tabs. Only the content of the active tab is rendered. */
export function TabView({ label, tabs, active: wanted, onSelect }: TabViewProps) {
  // The address of the page can name a tab that does not exist.
  const active = Object.hasOwn(tabs, wanted) ? wanted : Object.keys(tabs)[0];
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone, the row of tabs is wider than the page.
    const tab = active && row.current?.querySelector('[aria-selected="true"]');
    if (tab) tab.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [active]);
  return (
    <div ref={row}>
      <Tabs
        aria-label={label}
        activeKey={active ?? ''}
        onSelect={(_event, key) => onSelect(String(key))}
        mountOnEnter
        unmountOnExit
      >
        {Object.entries(tabs).map(([key, [title, content]]) => (
          <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
            <div className="gap">{key === active && content()}</div>
          </Tab>
        ))}
      </Tabs>
    </div>
  );
}
