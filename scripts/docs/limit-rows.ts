import { constantsOf } from './constants.ts';

/** Helpers for the rows of the tables of limits. */

export type Row = readonly [resource: string, limit: string, met: string];

export const engine = (path: string) => constantsOf(`packages/engine/src/${path}.ts`);
export const foundation = (path: string) => constantsOf(`packages/foundation/src/${path}.ts`);
export const service = (path: string) => constantsOf(`packages/service/src/${path}.ts`);

const KIB = 1024;
export const count = (value: number) => value.toLocaleString('en-US');

export function bytes(value: number): string {
  if (value % (KIB * KIB) === 0) return `${count(value / KIB / KIB)} MiB`;
  return value % KIB === 0 ? `${count(value / KIB)} KiB` : `${count(value)} bytes`;
}

export function time(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}
