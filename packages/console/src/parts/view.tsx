import { Flex, FlexItem, PageSection, Title } from '@patternfly/react-core';
import type { ReactNode } from 'react';

interface ViewProps {
  readonly title: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the console: its title, its actions, and its content. */
export function View({ title, actions, children }: ViewProps) {
  return (
    <>
      <PageSection>
        <Flex justifyContent={{ default: 'justifyContentSpaceBetween' }}>
          <FlexItem>
            <Title headingLevel="h1">{title}</Title>
          </FlexItem>
          {actions && <FlexItem className="buttons">{actions}</FlexItem>}
        </Flex>
      </PageSection>
      <PageSection isFilled>{children}</PageSection>
    </>
  );
}
