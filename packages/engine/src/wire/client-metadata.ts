import { bsonTypes, typeName } from '../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { textOf, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';

/**
 * Maximum size of the metadata in bytes, for routers and for other members. Drivers send at most 512 bytes. On the
 * reference server, routers add to the metadata that they forward.
 */
const MAX_BYTES = { router: 512, other: 1024 };
/** Maximum length of an application name in bytes. */
const MAX_APP_NAME = 128;

/** The error for metadata that is not in the first `hello` command of a connection. */
export function repeatedMetadata(): ServerError {
  return new ServerError(
    'ClientMetadataCannotBeMutated',
    'The client metadata document may only be sent in the first hello',
  );
}

/** Returns the error that metadata of a client causes, or undefined if the metadata is valid. */
export function metadataError(metadata: Value, isRouter: boolean): ServerError | undefined {
  try {
    checkMetadata(metadata, isRouter ? MAX_BYTES.router : MAX_BYTES.other);
    return undefined;
  } catch (error) {
    if (error instanceof ServerError) return error;
    throw error;
  }
}

function checkMetadata(metadata: Value, maxBytes: number): void {
  const fields = documentIn(metadata, 'client');
  if (fields.length > maxBytes) {
    throw new ServerError(
      'ClientMetadataDocumentTooLarge',
      `The client metadata document must be less than or equal to ${maxBytes} bytes`,
    );
  }
  // Accept an empty document. In test runners that load drivers into contexts of their own, such as Jest, the Node.js
  // driver sends one.
  if (fields.isEmpty && metadata.type === bsonTypes.object) return;
  const application = fields.get('application');
  const name = application && documentIn(application, 'application').get('name');
  if (name !== undefined && Buffer.byteLength(stringIn(name, 'application.name')) > MAX_APP_NAME) {
    throw new ServerError(
      'ClientMetadataAppNameTooLarge',
      `The 'application.name' field must be less than or equal to ${MAX_APP_NAME} bytes`,
    );
  }
  const driver = documentIn(required(fields, 'driver'), 'driver');
  for (const field of ['name', 'version']) stringIn(required(driver, field, 'driver'), `driver.${field}`);
  const os = documentIn(required(fields, 'os'), 'os');
  stringIn(required(os, 'type', 'os'), 'os.type');
}

function required(fields: RawDocument, name: string, within?: string): Value {
  const value = fields.get(name);
  if (value !== undefined) return value;
  throw new ServerError(
    'ClientMetadataMissingField',
    `Missing required field '${within === undefined ? name : `${within}.${name}`}' in the client metadata document`,
  );
}

/** The fields of a document or of an array, which lacks the required fields. */
function documentIn(value: Value, name: string): RawDocument {
  if (value.type === bsonTypes.object || value.type === bsonTypes.array) return documentOf(value);
  throw wrongType(value, name, 'object');
}

function stringIn(value: Value, name: string): string {
  if (value.type === bsonTypes.string) return textOf(value);
  throw wrongType(value, name, 'string');
}

function wrongType({ type }: Value, name: string, expected: string): ServerError {
  return new ServerError(
    'TypeMismatch',
    `The '${name}' field is required to be a BSON ${expected} in the client metadata document, not ${typeName(type)}`,
  );
}
