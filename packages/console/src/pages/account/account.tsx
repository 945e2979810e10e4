import { Stack, StackItem } from '@patternfly/react-core';
import type { Session } from '../../api/session.ts';
import { LogOut } from '../../parts/log-out.tsx';
import { View } from '../../parts/view.tsx';
import { OneTimeCodes } from './one-time-codes.tsx';
import { Sessions } from './sessions.tsx';

/** The person's login methods, and the browsers in which the person is logged in. */
export function AccountPage({ session }: { readonly session: Session }) {
  const { firstName, lastName } = session.user;
  return (
    <View
      title={`${firstName} ${lastName}`}
      actions={
        // The header of a phone has no room for this button.
        <div className="on-phone">
          <LogOut />
        </div>
      }
    >
      <Stack hasGutter>
        <StackItem>
          <OneTimeCodes />
        </StackItem>
        <StackItem>
          <Sessions />
        </StackItem>
      </Stack>
    </View>
  );
}
