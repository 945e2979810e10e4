import { Double } from 'bson';
import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileFilter } from '../../language/filter/index.ts';
import type { ProfileLevel } from '../../parameters/profiler.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { byType, converted, notNull } from '../shared/field-builders.ts';
import { onDatabase } from '../shared/namespace.ts';
import { inspecting } from '../shared/presets.ts';

/** A number between 0 and 1. */
const share = converted('double', (rate) => {
  if (rate >= 0 && rate <= 1) return rate;
  throw new ServerError('BadValue', "'sampleRate' must be between 0.0 and 1.0 inclusive");
});

/** A filter, or the word that removes it. Null is an error. */
const filterOrUnset = notNull(
  byType(
    {
      object: documentOf,
      string(value): 'unset' {
        if (textOf(value) === 'unset') return 'unset';
        throw wrongFilter();
      },
    },
    wrongFilter,
  ),
);

function wrongFilter(): ServerError {
  return new ServerError('BadValue', "Expected an object, or the string 'unset'.");
}

const profile = command({
  name: 'profile',
  ...inspecting,
  privileges: onDatabase('enableProfiler'),
  fields: { profile: 'int!', slowms: 'int', sampleRate: share, filter: filterOrUnset },
  run({ profile: level, slowms, sampleRate: rate, filter }, { database }, { parameters: { profiler } }) {
    const before = profiler.of(database);
    const next = filter === undefined ? before : withFilter(before, filter);
    const reply = {
      was: before.level,
      slowms: profiler.slowms,
      sampleRate: new Double(profiler.sampleRate),
      ...(before.filter === undefined ? {} : { filter: before.filter.document, note: FILTER_NOTE }),
    };
    if (slowms !== undefined) profiler.slowms = slowms;
    if (rate !== undefined) profiler.sampleRate = rate;
    const wanted = level >= 0 && level <= 2 ? level : before.level;
    if (wanted !== before.level || next !== before) profiler.set(database, { ...next, level: wanted });
    return reply;
  },
});

const FILTER_NOTE =
  'When a filter expression is set, slowms and sampleRate are not used for profiling and slow-query log lines.';

function withFilter(before: ProfileLevel, given: RawDocument | 'unset'): ProfileLevel {
  if (given === 'unset') return { level: before.level };
  return { level: before.level, filter: { document: normalized(given), compiled: compileFilter(given) } };
}

/** Converts a filter to the server's notation, with `$eq` for equality. */
function normalized(filter: RawDocument): RawDocument {
  return writeDocument((writer) => {
    for (const condition of filter) {
      const named =
        condition.type === bsonTypes.object && documentOf(condition).first()?.name.startsWith('$');
      if (named || condition.name.startsWith('$') || condition.type === bsonTypes.regex)
        writer.element(condition);
      else writer.field(condition.name, writeDocument((inner) => inner.field('$eq', condition)).toValue());
    }
  });
}

export const profileCommands: readonly Command[] = [profile];
