import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An operation of the contract, or one that only the vendor's service has. */
export interface ContractOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, without the base path. */
  readonly path: string;
  readonly tag: string;
  readonly source: 'contract' | 'reference';
  /** The dates of its versions, oldest first. */
  readonly versions: readonly string[];
}

/** Returns all operations of the contract and of the vendor's service, sorted by tag and path. */
export function contractOperations(): readonly ContractOperation[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'contract-operations.json'), 'utf8'));
}
