import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';
import type { ReactNode } from 'react';

/** A list of names and values. Names without a value are omitted. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode | undefined])[] }) {
  return (
    <DescriptionList className="gap" isHorizontal isCompact columnModifier={{ lg: '3Col' }}>
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <DescriptionListGroup key={name}>
            <DescriptionListTerm>{name}</DescriptionListTerm>
            <DescriptionListDescription>{value}</DescriptionListDescription>
          </DescriptionListGroup>
        ))}
    </DescriptionList>
  );
}
