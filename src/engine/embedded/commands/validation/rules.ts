import type { ClusterContext, CommandRequest } from '../../command.ts';
import { bsonTypes } from '../../language/bson-types.ts';
import { compileCollation } from '../../language/collation/index.ts';
import { compileFilter, type Filter } from '../../language/filter/index.ts';
import type { RawDocument } from '../../language/raw.ts';
import { nullValue } from '../../language/value.ts';
import { ServerError } from '../../server-error.ts';
import type { Collection } from '../../storage/collection.ts';
import { environmentOf } from '../environment.ts';
import { checkClusteredId } from './clustered-id.ts';
import { failureDetails } from './details.ts';

/** What the options of a collection ask of its documents. */
interface Rules {
  readonly validator?: RawDocument;
  readonly moderate: boolean;
  /** Documents that the validator refuses are let in. */
  readonly warns: boolean;
  readonly timeField?: string;
  readonly clustered: boolean;
  /** Kept where the validator does not ask for the time. */
  filter?: Filter;
}

const kept = new WeakMap<RawDocument, Rules>();

function rulesOf(options: RawDocument): Rules {
  let rules = kept.get(options);
  if (rules === undefined) {
    const level = options.string('validationLevel') ?? 'strict';
    const validator = level === 'off' ? undefined : options.document('validator');
    const timeField = options.document('timeseries')?.string('timeField');
    rules = {
      moderate: level === 'moderate',
      warns: options.string('validationAction') === 'warn',
      clustered: options.has('clusteredIndex'),
      ...(validator ? { validator } : {}),
      ...(timeField === undefined ? {} : { timeField }),
    };
    kept.set(options, rules);
  }
  return rules;
}

/** Throws where the collection does not take a new document. */
export function checkInsert(
  { options }: Collection,
  document: RawDocument,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  if (options.isEmpty) return;
  const rules = rulesOf(options);
  if (rules.timeField !== undefined) checkTime(rules.timeField, document);
  if (rules.clustered) checkClusteredId(document.get('_id') ?? nullValue);
  if (rules.validator === undefined || bypasses(request)) return;
  if (!filterOf(rules, options, cluster).matches(document)) refuse(rules, rules.validator, document);
}

/** Throws where the collection does not take a document in the place of another. */
export function checkReplace(
  { options }: Collection,
  before: RawDocument,
  after: RawDocument,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  if (options.isEmpty) return;
  const rules = rulesOf(options);
  if (rules.validator === undefined || bypasses(request)) return;
  const filter = filterOf(rules, options, cluster);
  if (filter.matches(after) || (rules.moderate && !filter.matches(before))) return;
  refuse(rules, rules.validator, after);
}

function bypasses({ body }: CommandRequest): boolean {
  return body.bool('bypassDocumentValidation') ?? false;
}

function filterOf(rules: Rules, options: RawDocument, cluster: ClusterContext): Filter {
  const { validator } = rules;
  if (rules.filter !== undefined) return rules.filter;
  if (validator === undefined) throw new Error('there is no validator');
  const collation = options.document('collation');
  const environment = environmentOf(undefined, cluster, collation && compileCollation(collation));
  const filter = compileFilter(validator, environment);
  if (!usesVariables(validator)) rules.filter = filter;
  return filter;
}

/** Text in it names a variable, whose value may be another every time. */
function usesVariables(validator: RawDocument): boolean {
  return Buffer.from(validator.toBytes()).includes('$$');
}

function refuse({ warns }: Rules, validator: RawDocument, document: RawDocument): void {
  if (warns) return;
  throw new ServerError('DocumentValidationFailure', 'Document failed validation', {
    errInfo: {
      failingDocumentId: document.get('_id') ?? nullValue,
      details: failureDetails(validator, document),
    },
  });
}

function checkTime(field: string, document: RawDocument): void {
  if (document.get(field)?.type === bsonTypes.date) return;
  throw new ServerError('BadValue', `'${field}' must be present and contain a valid BSON UTC datetime value`);
}
