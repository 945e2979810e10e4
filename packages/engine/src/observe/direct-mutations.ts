import type { RawDocument } from '../bson/raw.ts';
import type { CommandMessage } from '../message/command-message.ts';
import { argumentsOf, documentsIn, type ObservedCommand } from './audited.ts';

/** The collections that store accounts. Direct writes to them bypass the user and role commands. */
const PLACES: ReadonlySet<string> = new Set(['system.users', 'system.roles', 'system.version']);

const statements: Readonly<Record<string, { readonly operation: string; readonly field: string }>> = {
  insert: { operation: 'insert', field: 'documents' },
  update: { operation: 'update', field: 'updates' },
  delete: { operation: 'remove', field: 'deletes' },
};

/**
 * Describes direct writes to the collections that store accounts. The description contains inserted documents without
 * their secrets, and the filters of updates and deletes.
 */
export function directMutations({ name, secrets }: ObservedCommand, request: CommandMessage): object[] {
  const statement = Object.hasOwn(statements, name) ? statements[name] : undefined;
  if (statement === undefined || request.database !== 'admin') return [];
  const collection = request.body.string(name);
  if (collection === undefined || !PLACES.has(collection)) return [];
  const { operation, field } = statement;
  const documents = request.sequences.get(field) ?? documentsIn(argumentsOf(request, secrets), field);
  return documents.map((document) => ({ document: shown(document), ns: `admin.${collection}`, operation }));
}

function shown(statement: RawDocument): object {
  const filter = statement.get('q');
  return filter === undefined ? argumentsOf({ body: statement }, ['credentials']) : { q: filter };
}
