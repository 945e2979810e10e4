import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { BillingFacts } from './schema.ts';

interface Tables {
  billing_fact: { org_id: string; document: string };
  project: { id: string; org_id: string };
}

const document = codec.json<BillingFacts>();

/** Inserts or replaces the row. */
export async function putFacts(tx: Tx, orgId: string, facts: BillingFacts): Promise<void> {
  const columns = { document: document.write(facts) };
  const insert = tx
    .from<Tables>()
    .insertInto('billing_fact')
    .values({ org_id: orgId, ...columns });
  await insert.onConflict((of) => of.column('org_id').doUpdateSet(columns)).execute();
}

export async function factsOf(tx: ReadTx, orgId: string): Promise<BillingFacts> {
  const query = tx.from<Tables>().selectFrom('billing_fact').select('document');
  const row = await query.where('org_id', '=', orgId).executeTakeFirst();
  return row ? document.read(row.document) : {};
}

/** Returns one element for each project whose organization has billing facts. The element contains these facts. */
export async function factsByProject(
  tx: ReadTx,
): Promise<Array<{ readonly groupId: string; readonly orgId: string; readonly facts: BillingFacts }>> {
  const query = tx.from<Tables>().selectFrom('billing_fact');
  const rows = await query
    .innerJoin('project', 'project.org_id', 'billing_fact.org_id')
    .select(['project.id as groupId', 'project.org_id as orgId', 'billing_fact.document as document'])
    .execute();
  return rows.map(({ document: facts, ...of }) => ({ ...of, facts: document.read(facts) }));
}
