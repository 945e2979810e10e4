import type { RawDocument } from '../../../bson/raw.ts';
import { releasing } from '../../../bson/turns.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { ownDatabases } from '../../../interface/namespaces.ts';
import type { Environment } from '../../../language/environment.ts';
import { checkAllowed } from '../../../language/filter/allowed.ts';
import { compileFilter } from '../../../language/filter/compile.ts';

/** Throws if the validator does not compile, or if the collection cannot have one. */
export function checkValidator(
  validator: RawDocument,
  database: string,
  name: string,
  environment: Environment,
): void {
  if (validator.isEmpty) return;
  if (name.startsWith('system.')) {
    throw invalid(`Document validators not allowed on system collection ${database}.${name}`);
  }
  if (ownDatabases.has(database)) {
    throw invalid(
      `Document validators are not allowed on collection ${database}.${name} in the ${database} database`,
    );
  }
  checkAllowed(validator);
  releasing(() => compileFilter(validator, environment));
}

/**
 * True if a collection with these options accepts documents with plain values in fields that must be encrypted. The
 * server then refuses to store a schema with encryption, because the values would be logged.
 */
export function logsPlainValues(level: string | undefined, action: string | undefined): boolean {
  return level === 'moderate' || action === 'warn';
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
