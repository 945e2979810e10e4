import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An operation of the contract, or only of the wider reference. */
export interface ContractOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Without the base path. */
  readonly path: string;
  readonly tag: string;
  readonly source: 'contract' | 'reference';
  /** Dates of its versions, oldest first. */
  readonly versions: readonly string[];
}

/** All operations of contract and reference, by tag and path. */
export function contractOperations(): readonly ContractOperation[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'contract-operations.json'), 'utf8'));
}
