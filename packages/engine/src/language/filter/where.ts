import { bsonTypes } from '../../bson/bson-types.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { CompileTopLevel } from './operator.ts';

/** Compiles a script that decides whether a document matches. */
export const compileWhere: CompileTopLevel = (operand, { environment: { scripts, inPipeline } }) => {
  const code = codeOf(operand);
  if (scripts === undefined || inPipeline) {
    throw new ServerError('BadValue', '$where is not allowed in this context');
  }
  if (!scripts.enabled) throw new ServerError('BadValue', 'no globalScriptEngine in $where parsing');
  const script = scripts.compile(code);
  return { operator: '$where', matches: (doc) => script.test(doc) };
};

function codeOf(operand: Value): string {
  if (operand.type === bsonTypes.string || operand.type === bsonTypes.javascript) {
    const code = textOf(operand);
    if (code !== '') return code;
    throw new ServerError('BadValue', 'code for $where cannot be empty');
  }
  throw new ServerError('BadValue', '$where got bad type');
}
