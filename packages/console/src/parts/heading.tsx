import { Flex, FlexItem, Title } from '@patternfly/react-core';
import type { ReactNode } from 'react';

/** The title of a part of a page, with its buttons. */
export function Heading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Flex className="gap">
      <FlexItem className="grow">
        <Title headingLevel="h2">{title}</Title>
      </FlexItem>
      {children}
    </Flex>
  );
}
