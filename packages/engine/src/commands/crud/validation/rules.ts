import type { PlainObject } from '@portolan/foundation/plain-object';
import { bsonTypes } from '../../../bson/bson-types.ts';
import { compileCollation } from '../../../bson/collation/index.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { nullValue } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../../language/environment.ts';
import { compileFilter, type Filter } from '../../../language/filter/index.ts';
import { compiledFilter } from '../../../language/filter/stored-filters.ts';
import type { Collection } from '../../../storage/collection/collection.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { CommandRequest } from '../../context/request.ts';
import { storedEnvironment } from '../../shared/environment.ts';
import { checkClusteredId } from './clustered-id.ts';
import { failureDetails } from './details.ts';

/** The validation rules from a collection's options. */
interface Rules {
  readonly validator?: RawDocument;
  readonly moderate: boolean;
  /** `error`, `warn` or `errorAndLog`. */
  readonly action: string;
  readonly timeField?: string;
  readonly clustered: boolean;
  /** True if the validator refers to a variable such as `$$NOW`, whose value differs between commands. */
  readonly usesVariables: boolean;
}

const rulesByOptions = new WeakMap<RawDocument, Rules>();

function rulesOf(options: RawDocument): Rules {
  let rules = rulesByOptions.get(options);
  if (rules === undefined) {
    const level = options.string('validationLevel') ?? 'strict';
    const validator = level === 'off' ? undefined : options.document('validator');
    const timeField = options.document('timeseries')?.string('timeField');
    rules = {
      moderate: level === 'moderate',
      action: options.string('validationAction') ?? 'error',
      clustered: options.has('clusteredIndex'),
      usesVariables: validator !== undefined && Buffer.from(validator.toBytes()).includes('$$'),
      ...(validator ? { validator } : {}),
      ...(timeField === undefined ? {} : { timeField }),
    };
    rulesByOptions.set(options, rules);
  }
  return rules;
}

/** Throws if the collection rejects the new document. */
export function checkInsert(
  collection: Collection,
  document: RawDocument,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  const { options } = collection;
  if (options.isEmpty) return;
  const rules = rulesOf(options);
  if (rules.timeField !== undefined) {
    checkMeasurementSize(document);
    checkTime(rules.timeField, document);
    if (request.body.has('autocommit')) throw notWithinTransaction(collection);
  }
  if (rules.clustered) checkClusteredId(document.get('_id') ?? nullValue);
  if (rules.validator === undefined || bypasses(request)) return;
  if (filterOf(rules, options, cluster).matches(document)) return;
  reject(rules, { collection, document, request, cluster });
}

function notWithinTransaction({ namespace }: Collection): ServerError {
  return new ServerError(
    'OperationNotSupportedInTransaction',
    `Cannot insert into a time-series collection in a multi-document transaction: ${namespace}`,
  );
}

/** Throws if the collection rejects the changed document. */
export function checkReplace(
  collection: Collection,
  before: RawDocument,
  after: RawDocument,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  const { options } = collection;
  if (options.isEmpty) return;
  const rules = rulesOf(options);
  if (rules.validator === undefined || bypasses(request)) return;
  const filter = filterOf(rules, options, cluster);
  if (filter.matches(after) || (rules.moderate && !filter.matches(before))) return;
  reject(rules, { collection, document: after, request, cluster });
}

function bypasses({ body }: CommandRequest): boolean {
  return body.bool('bypassDocumentValidation') ?? false;
}

function filterOf(rules: Rules, options: RawDocument, cluster: ClusterContext): Filter {
  const { validator } = rules;
  if (validator === undefined) throw new Error('the collection has no validator');
  if (rules.usesVariables) return compileFilter(validator, environmentOf(options, cluster));
  return compiledFilter(validator, () => {
    // The cache of filters can outlive the cluster, so omit the parts that refer to the cluster. Only variables
    // and stages need these parts.
    const { system: _, workspace: __, ...others } = environmentOf(options, cluster);
    return compileFilter(validator, others);
  });
}

function environmentOf(options: RawDocument, cluster: ClusterContext): Environment {
  const collation = options.document('collation');
  // A validator may use features outside the Stable API, even if the command that writes the document may not.
  const { strictApi: _, ...others } = storedEnvironment(cluster, collation && compileCollation(collation));
  return { ...others, failedExpressions: 'noMatch' };
}

interface RejectedDocument {
  readonly collection: Collection;
  readonly document: RawDocument;
  readonly request: CommandRequest;
  readonly cluster: ClusterContext;
}

function reject({ action, validator = RawDocument.empty }: Rules, rejected: RejectedDocument): void {
  const { document, collection, cluster } = rejected;
  const errInfo = {
    failingDocumentId: document.get('_id') ?? nullValue,
    details: failureDetails(validator, document, environmentOf(collection.options, cluster)),
  };
  if (action !== 'error') note(action, errInfo, rejected);
  if (action === 'warn') return;
  throw new ServerError('DocumentValidationFailure', 'Document failed validation', { errInfo });
}

/** Writes the server's log line for the actions `warn` and `errorAndLog`. */
function note(
  action: string,
  errInfo: PlainObject,
  { collection, document, request, cluster }: RejectedDocument,
): void {
  const { caller } = request;
  cluster.observer?.log({
    member: caller.member,
    s: 'W',
    c: 'STORAGE',
    id: action === 'warn' ? 20294 : 7488700,
    ctx: `conn${caller.connectionId}`,
    msg: 'Document would fail validation',
    attr: {
      namespace: collection.namespace,
      document,
      errInfo,
    },
  });
}

/** Maximum size of a measurement in bytes. */
const MAX_MEASUREMENT = 4 * 1024 * 1024;

function checkMeasurementSize({ length }: RawDocument): void {
  if (length <= MAX_MEASUREMENT) return;
  throw new ServerError(
    'BSONObjectTooLarge',
    `measurement to insert is too large. size in bytes: ${length}, max size: ${MAX_MEASUREMENT}`,
  );
}

function checkTime(field: string, document: RawDocument): void {
  if (document.get(field)?.type === bsonTypes.date) return;
  throw new ServerError('BadValue', `'${field}' must be present and contain a valid BSON UTC datetime value`);
}
