import { Card, CardBody, CardTitle, Page, PageSection } from '@patternfly/react-core';
import type { ReactNode } from 'react';

/** A page that does not require a session. */
export function OuterPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Page mainAriaLabel={title} className="pf-m-no-sidebar outer">
      <PageSection isWidthLimited>
        <Card>
          <CardTitle component="h1">{title}</CardTitle>
          <CardBody>{children}</CardBody>
        </Card>
      </PageSection>
    </Page>
  );
}

/** Returns the token in the fragment of the address. Browsers do not send the fragment to the service. */
export function tokenInAddress(): string | undefined {
  return /[?&]token=([\w-]+)/.exec(location.hash)?.[1];
}
