import { DocumentWriter } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { type Environment, noEnvironment } from '../environment.ts';
import { inheritMetadata } from '../metadata.ts';
import { additionOf } from './add.ts';
import { writeWithout } from './exclude.ts';
import { writeIncluded } from './include.ts';
import { type ProjectionField, parseFields } from './parse.ts';
import { buildTree } from './tree.ts';

/** A compiled projection. */
export interface Projection {
  readonly kind: 'inclusion' | 'exclusion';
  apply(doc: RawDocument): RawDocument;
}

/**
 * Compiles a projection, which either includes or excludes fields. Only `_id` may differ: it is included by default.
 */
export function compileProjection(spec: RawDocument, environment: Environment = noEnvironment): Projection {
  const fields = parseFields(spec, '', environment);
  const compile = isInclusion(fields) ? compileInclusion : compileExclusion;
  return compile(fields, environment.statement);
}

/**
 * True if the projection includes fields rather than excluding them. The first field decides. `_id` counts only if it
 * is computed or the only field.
 */
function isInclusion(fields: readonly ProjectionField[]): boolean {
  const plain = fields.find(
    (field) => (field.path !== '_id' || typeof field.action !== 'string') && !isMeta(field),
  );
  const deciding = plain ?? fields.find(isMeta) ?? fields[0];
  return deciding !== undefined && deciding.action !== 'exclude';
}

/** True for metadata, which may be added to inclusions and exclusions. */
function isMeta({ operator }: ProjectionField): boolean {
  return operator === '$meta';
}

function compileInclusion(fields: readonly ProjectionField[], statement: Statement): Projection {
  // Throws for conflicting paths. This error takes precedence over the error for an excluded field.
  buildTree(fields, statement);
  for (const { path, action } of fields) {
    if (action === 'exclude' && path !== '_id') {
      throw new ServerError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    }
  }
  const named = fields.filter(({ action }) => action !== 'exclude');
  if (!fields.some(({ path }) => path.split('.')[0] === '_id')) {
    named.unshift({ path: '_id', action: 'include' });
  }
  const tree = buildTree(named, statement);
  return {
    kind: 'inclusion',
    apply: (doc) => written((writer) => writeIncluded(tree, doc, writer, { root: doc })),
  };
}

function compileExclusion(fields: readonly ProjectionField[], statement: Statement): Projection {
  for (const field of fields) {
    if (isMeta(field)) continue;
    if (field.action !== 'exclude' && !(field.action === 'include' && field.path === '_id')) {
      throw inExclusion(field);
    }
  }
  const tree = buildTree(
    fields.filter(({ action }) => action === 'exclude'),
    statement,
  );
  const without = (doc: RawDocument) => written((writer) => writeWithout(tree, doc, writer));
  const metas = fields.filter(isMeta);
  if (metas.length === 0) return { kind: 'exclusion', apply: without };
  const add = additionOf(metas, statement);
  return {
    kind: 'exclusion',
    apply(doc) {
      const left = without(doc);
      inheritMetadata(doc, left);
      return add(left);
    },
  };
}

function inExclusion({ path, action, operator }: ProjectionField): ServerError {
  if (action === 'include') {
    return new ServerError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
  }
  return operator !== undefined
    ? new ServerError(31252, `Cannot use an expression on field ${path} in an exclusion projection`)
    : new ServerError(31310, `Cannot use an expression ${path} in an exclusion projection`);
}

function written(write: (writer: DocumentWriter) => void): RawDocument {
  const writer = new DocumentWriter();
  write(writer);
  return new RawDocument(writer.finish());
}
