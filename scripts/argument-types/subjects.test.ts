import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandTable } from '../../packages/engine/src/commands/index.ts';
import { hole, holes, nested } from './subject.ts';
import { subjects } from './subjects.ts';

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

  it('have the value at each place of a template, in documents and lists that are marked', () => {
    assert.deepEqual(holes(nested({ a: 1, b: nested([2]) })), [
      { field: '', shape: hole },
      { field: 'a', shape: { a: hole, b: [2] } },
      { field: 'b', shape: { a: 1, b: hole } },
      { field: 'b.0', shape: { a: 1, b: [hole] } },
    ]);
  });
});
