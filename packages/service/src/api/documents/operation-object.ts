import { acceptedRoles, type RolePhrase, rolePhrases } from '../../access/roles.ts';
import { PLAIN_MEDIA_TYPE } from '../addresses.ts';
import { versionsOf } from '../shapes.ts';
import { isDeprecated } from '../support.ts';
import type { DescribedAccess, Placed } from './edition.ts';
import { capitalized, type JsonObject, present } from './json.ts';
import { type PathParameters, parametersOf } from './parameters.ts';
import { responsesOf } from './responses.ts';
import type { SchemaBook } from './schema-book.ts';
import { OPERATOR_SECURITY, SESSION_SECURITY } from './security.ts';

export interface OperationContext {
  readonly book: SchemaBook;
  readonly parameters: PathParameters;
  readonly legacy: boolean;
}

/** Returns the object that describes one operation in a document. */
export function operationObject(placed: Placed, { book, parameters, legacy }: OperationContext): JsonObject {
  const { operation, shape, extension } = placed;
  return present({
    operationId: operation.id,
    summary: operation.summary,
    description: accessSentence(shape.access),
    tags: [operation.tag],
    deprecated: (isDeprecated(shape.support) && !extension) || undefined,
    parameters: parametersOf(book, parameters, placed),
    requestBody: requestBody(book, placed),
    responses: responsesOf(book, placed, legacy),
    security: securityOf(shape.access),
    'x-extension': extension || undefined,
    'x-rate-limited': placed.rateLimited || undefined,
    'x-roles': isPhrase(shape.access) ? acceptedRoles(shape.access) : undefined,
    'x-versions': extension ? undefined : versionsOf(operation),
  });
}

function requestBody(book: SchemaBook, { operation, shape, mediaType }: Placed): JsonObject | undefined {
  if (!shape.body) return undefined;
  const written = book.write(shape.body, 'request') as JsonObject;
  const schema = book.define(`${capitalized(operation.id)}Request`, written);
  const required = !book.takesEmpty(shape.body);
  return { required, content: { [PLAIN_MEDIA_TYPE]: { schema }, [mediaType]: { schema } } };
}

function isPhrase(access: DescribedAccess): access is RolePhrase {
  return (rolePhrases as readonly string[]).includes(access);
}

function accessSentence(access: DescribedAccess): string {
  if (access === 'no credentials') return 'Requires no credentials.';
  if (access === 'any caller') return 'Requires valid credentials, but no role.';
  if (access === 'operator') return 'Requires the operator token.';
  if (access === 'session')
    return 'Requires a session of the console. Requests other than GET need the header `X-CSRF-Token`.';
  // In the table of roles, the second of two alternatives lacks the word Project.
  return `Requires the role ${access.replace(' or ', ' or Project ')}.`;
}

function securityOf(access: DescribedAccess): JsonObject[] | undefined {
  if (access === 'no credentials') return [];
  if (access === 'session') return [{ [SESSION_SECURITY]: [] }];
  // The other operations need no entry here, because the security of the whole document applies to them: Digest or a
  // service account.
  return access === 'operator' ? [{ [OPERATOR_SECURITY]: [] }] : undefined;
}
