import { Long } from 'bson';
import { describeDocument } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { bool, int32, int64, string, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Reply } from '../../message/reply.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { keysEqual } from '../../storage/index-specs/existing.ts';
import { isIdKey } from '../../storage/index-specs/index-spec.ts';
import type { IndexDefinition } from '../../storage/model/index-definition.ts';
import { NEW_INDEX, withUuid } from '../../storage/oplog/oplog.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { nested } from '../shared/field-builders.ts';
import type { Fields } from '../shared/fields.ts';
import { noteCommand } from './oplog.ts';
import { idIndexOf } from './specifications.ts';
import { violationsOf } from './violations.ts';

const modifyFields = {
  name: 'string',
  keyPattern: 'object',
  hidden: 'truth',
  expireAfterSeconds: 'int',
  unique: 'truth',
  prepareUnique: 'truth',
  forceNonUnique: 'truth',
} as const;

/** The change of an index in `collMod`. */
export const indexChange = nested(modifyFields);

type Arguments = Fields<typeof modifyFields>;

const MAX_SECONDS = 2_147_483_647;

/** Applies the index options of `collMod`. Returns the part of the reply with old and new values. */
export function modifyIndex(
  collection: Collection,
  args: Arguments,
  dryRun: boolean,
  request: CommandRequest,
  cluster: ClusterContext,
): Reply {
  if (request.body.bool('apiStrict') === true) rejectUnstable(args);
  checkArguments(args);
  const index = indexOf(collection, args);
  const changes = changesOf(collection, index, args);
  if (dryRun || changes.options.size === 0) return dryRun ? {} : changes.reply;
  const changed = withOptions(index.spec, changes.options);
  collection.changeIndex(index, changed);
  const o = writeDocument((writer) => {
    writer.field('collMod', string(collection.name));
    writer.field('index', logged(index, args).toValue());
  });
  noteCommand(collection, o, oplogDetails(collection, index, changes.options, changed), request, cluster);
  return changes.reply;
}

/** Throws for the conversion to a unique index, which is not part of API Version 1. */
function rejectUnstable(args: Arguments): void {
  const field = (['unique', 'prepareUnique', 'forceNonUnique'] as const).find(
    (name) => args[name] !== undefined,
  );
  if (field === undefined) return;
  const path = `collMod.index.${field}`;
  throw new ServerError('APIStrictError', `BSON field '${path}' is not allowed with apiStrict:true.`);
}

function checkArguments(args: Arguments): void {
  const { name, keyPattern, hidden, expireAfterSeconds, unique, prepareUnique, forceNonUnique } = args;
  if (name === undefined && keyPattern === undefined) {
    throw invalid('Must specify either index name or key pattern');
  }
  if (name !== undefined && keyPattern !== undefined) {
    throw invalid('Cannot specify both key pattern and name.');
  }
  if ((hidden ?? expireAfterSeconds ?? unique ?? prepareUnique ?? forceNonUnique) === undefined) {
    throw invalid('no expireAfterSeconds, hidden, unique, or prepareUnique field');
  }
  if (unique === false) throw new ServerError('BadValue', "'unique: false' is not supported");
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}

function indexOf(
  collection: Collection,
  { name, keyPattern: key, hidden, expireAfterSeconds: expiry }: Arguments,
): IndexDefinition {
  const isId = key === undefined ? name === idIndexOf(collection).string('name') : isIdKey(key);
  if (isId && key !== undefined && collection.options.has('clusteredIndex')) {
    throw new ServerError(
      'IndexNotFound',
      `cannot find index ${describeDocument(key)} for ns ${collection.namespace}`,
    );
  }
  if (isId && hidden !== undefined && collection.options.has('clusteredIndex')) {
    throw new ServerError(6011800, 'cannot hide or unhide the clusteredIndex');
  }
  if (isId && expiry !== undefined) throw invalid('the _id field does not support TTL indexes');
  if (isId) {
    const what = hidden === undefined ? 'the _id index cannot be modified' : "can't hide _id index";
    throw new ServerError('BadValue', what);
  }
  const found = collection.indexes.filter((one) =>
    key === undefined ? one.name === name : keysEqual(one.key, key),
  );
  const [index, ...others] = found;
  const shown = key === undefined ? name : describeDocument(key);
  if (index === undefined) {
    throw new ServerError('IndexNotFound', `cannot find index ${shown} for ns ${collection.namespace}`);
  }
  if (others.length === 0) return index;
  throw new ServerError(
    'AmbiguousIndexKeyPattern',
    `index keyPattern ${shown} matches ${found.length} indexes, must use index name. ` +
      `Conflicting indexes: ${found.map(({ spec }) => describeDocument(spec)).join(', ')}`,
  );
}

interface Changes {
  /** The changed options of the specification. The value `undefined` removes an option. */
  readonly options: ReadonlyMap<string, Value | undefined>;
  readonly reply: Reply;
}

function changesOf(collection: Collection, index: IndexDefinition, args: Arguments): Changes {
  const options = new Map<string, Value | undefined>();
  const reply: Record<string, unknown> = {};
  if (args.expireAfterSeconds !== undefined) expire(index, args.expireAfterSeconds, options, reply);
  const flag = (name: 'hidden' | 'prepareUnique', wanted: boolean | undefined) => {
    if (wanted === undefined || wanted === index[name]) return;
    options.set(name, wanted ? bool(true) : undefined);
    reply[`${name}_old`] = !wanted;
    reply[`${name}_new`] = wanted;
  };
  flag('hidden', args.hidden);
  const others = options.size;
  if (!index.unique) flag('prepareUnique', args.prepareUnique);
  if (options.size > others && (args.hidden ?? args.expireAfterSeconds) !== undefined) {
    throw invalid('prepareUnique cannot be changed together with other options of an index');
  }
  if (args.unique && !index.unique) {
    makeUnique(collection, index);
    options.set('unique', bool(true));
    options.set('prepareUnique', undefined);
    reply.unique_new = true;
  }
  if (args.forceNonUnique && index.unique) {
    options.set('unique', undefined);
    reply.forceNonUnique_new = true;
  }
  return { options, reply };
}

/** Returns the change in the form that the oplog contains: with the name of the index, and with the TTL as an int64. */
function logged({ name }: IndexDefinition, args: Arguments): RawDocument {
  return writeDocument((writer) => {
    writer.field('name', string(name));
    const { expireAfterSeconds } = args;
    if (expireAfterSeconds !== undefined)
      writer.field('expireAfterSeconds', int64(BigInt(Math.min(expireAfterSeconds, MAX_SECONDS))));
    for (const flag of ['hidden', 'prepareUnique', 'unique', 'forceNonUnique'] as const) {
      const wanted = args[flag];
      if (wanted !== undefined) writer.field(flag, bool(wanted));
    }
  });
}

function expire(
  index: IndexDefinition,
  requested: number,
  options: Map<string, Value | undefined>,
  reply: Record<string, unknown>,
): void {
  if (index.parts.length > 1 || index.kind === 'wildcard' || index.kind === 'text') {
    throw invalid('TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
  const seconds = Math.min(requested, MAX_SECONDS);
  if (seconds < 0) {
    throw invalid(`TTL index 'expireAfterSeconds' must be within an acceptable range, but is ${seconds}`);
  }
  const before = index.expireAfterSeconds;
  if (before !== seconds) options.set('expireAfterSeconds', int32(seconds));
  if (before !== undefined) reply.expireAfterSeconds_old = Long.fromNumber(before);
  reply.expireAfterSeconds_new = Long.fromNumber(seconds);
}

function makeUnique(collection: Collection, index: IndexDefinition): void {
  if (!index.prepareUnique) {
    throw invalid("Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.");
  }
  const violations = violationsOf(collection, index);
  if (violations.length === 0) return;
  throw new ServerError(
    'CannotConvertIndexToUnique',
    'Cannot convert the index to unique. Please resolve conflicting documents before running collMod again.',
    { violations },
  );
}

function withOptions(spec: RawDocument, options: ReadonlyMap<string, Value | undefined>): RawDocument {
  return writeDocument((writer) => {
    for (const element of spec) if (!options.has(element.name)) writer.element(element);
    for (const [name, value] of options) if (value !== undefined) writer.field(name, value);
  });
}

/** Returns the field `o2` of the oplog entry: the old options and the new specification. */
function oplogDetails(
  collection: Collection,
  index: IndexDefinition,
  changed: ReadonlyMap<string, Value | undefined>,
  spec: RawDocument,
): RawDocument {
  return writeDocument((writer) => {
    writer.field('collectionOptions_old', withUuid(collection.options, collection));
    const indexOptions = writeDocument((inner) => {
      if (changed.has('expireAfterSeconds') && index.expireAfterSeconds !== undefined) {
        inner.field('expireAfterSeconds', int64(BigInt(index.expireAfterSeconds)));
      }
      if (changed.has('hidden')) inner.field('hidden', bool(index.hidden));
      if (changed.has('prepareUnique') && !changed.has('unique')) {
        inner.field('prepareUnique', bool(index.prepareUnique));
      }
    });
    writer.field('indexOptions_old', indexOptions.toValue());
    writer.field(NEW_INDEX, spec.toValue());
  });
}
