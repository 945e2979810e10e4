import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandTable } from '../../packages/engine/src/commands/index.ts';
import { hole, holes, nested } from './subject.ts';
import { subjects } from './subjects.ts';

/** The arguments that accept values of all types, and have no effect. */
const withoutEffect = [
  'applyOps.allowAtomic',
  'applyOps.bypassDocumentValidation',
  'applyOps.oplogApplicationMode',
  'balancerStart.maxTimeMS',
  'balancerStop.maxTimeMS',
  'count.fields',
  'count.queryHash',
  'distinct.queryHash',
  'filemd5.md5state',
  'findAndModify.sampleId',
  'replSetGetStatus.initialSync',
  'replSetInitiate.force',
  'shutdown.comment',
  'validate.collHash',
  'validate.enforceFastCount',
  'validate.hashPrefixes',
  'validate.revealHashedIds',
];

describe('the subjects of the matrix', () => {
  it('include every declared field of every command', () => {
    const asked = new Set(
      subjects().flatMap(({ page, of, field }) => (page === 'commands' ? [`${of}.${field}`] : [])),
    );
    const declared = [...commandTable.values()].flatMap(({ name, fields }) =>
      Object.keys(fields).map((field) => `${name}.${field}`),
    );
    assert.deepEqual(
      declared.filter((name) => !asked.has(name)),
      [],
    );
  });

  it('declare the types of their values, unless a value has no effect', () => {
    const anything = [...new Set(commandTable.values())].flatMap(({ name, fields }) =>
      Object.entries(fields)
        .filter(([field, kind]) => field !== name && /^(any|value)!?$/.test(String(kind)))
        .map(([field]) => `${name}.${field}`),
    );
    assert.deepEqual(anything.sort(), withoutEffect);
  });

  it('have the value at each place of a template, in documents and lists that are marked', () => {
    assert.deepEqual(holes(nested({ a: 1, b: nested([2]) })), [
      { field: '', shape: hole },
      { field: 'a', shape: { a: hole, b: [2] } },
      { field: 'b', shape: { a: 1, b: hole } },
      { field: 'b.0', shape: { a: 1, b: [hole] } },
    ]);
  });
});
