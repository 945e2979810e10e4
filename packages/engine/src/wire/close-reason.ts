import { BSONError } from 'bson';
import { MalformedMessage } from '../message/sections.ts';
import { MemoryExceeded } from './held-memory.ts';

/** Errors that clients cause. */
const EXPECTED = [MalformedMessage, BSONError, MemoryExceeded];

/** Returns the reason why a connection is closed, for the log: a message, or the stack of an unexpected error. */
export function closeReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  return isExpected ? error.message : (error.stack ?? error.message);
}
