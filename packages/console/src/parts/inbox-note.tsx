import { Link } from 'wouter';
import { useSession } from '../api/session.ts';

/** Says where the operator finds mails and notifications. Other people do not see them. */
export function InboxNote({ what }: { readonly what: string }) {
  const { data: session } = useSession();
  if (!session?.operator) return null;
  return (
    <>
      {' '}
      {what} in the <Link href="/laboratory/mails">inbox</Link>.
    </>
  );
}
