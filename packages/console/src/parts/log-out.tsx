import { Button } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { forgetData, logOut } from '../api/session.ts';

/** The button that ends the session of this browser. */
export function LogOut() {
  const queries = useQueryClient();
  const end = async () => {
    await logOut().finally(async () => {
      // The page may just be reading the session. The response could arrive later, and would show the session again.
      await queries.cancelQueries({ queryKey: ['session'] });
      queries.setQueryData(['session'], null);
      forgetData(queries);
    });
  };
  return (
    <Button variant="secondary" onClick={end}>
      Log out
    </Button>
  );
}
