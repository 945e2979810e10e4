import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Scripts } from '../scripts.ts';
import type { Compiler, ExpressionTable } from './expression.ts';

export const functionOperators: ExpressionTable = {
  $function: (operand, compiler) => {
    const { scripts } = compiler;
    if (scripts === undefined) {
      throw new ServerError(4660800, '$function cannot be used inside a validator.');
    }
    if (operand.type !== bsonTypes.object) {
      throw new ServerError(
        31260,
        `$function requires an object as an argument, found: ${typeName(operand.type)}`,
      );
    }
    const fields = documentOf(operand);
    const code = bodyOf(fields, compiler);
    const given = fields.get('args');
    if (given === undefined) throw new ServerError(31263, 'The args field must be specified.');
    const args = compiler.compile(given);
    checkLanguage(fields);
    const script = enabledScripts(scripts).compile(code);
    return {
      evaluate(scope) {
        const values = args.evaluate(scope);
        if (values?.type !== bsonTypes.array) {
          throw new ServerError(31266, 'The args field must be of type array');
        }
        return script.call(entriesOf(values));
      },
    };
  },
};

/** Throws if scripts are disabled. */
export function enabledScripts(scripts: Scripts): Scripts {
  if (scripts.enabled) return scripts;
  throw new ServerError(31264, 'Cannot run server-side javascript without the javascript engine enabled');
}

function bodyOf(fields: RawDocument, { compile }: Compiler): string {
  const body = fields.get('body');
  if (body === undefined) throw new ServerError(31261, 'The body function must be specified.');
  const { constant } = compile(body);
  if (constant === undefined) throw new ServerError(31432, 'The body function must be a constant expression');
  if (isCode(constant)) return textOf(constant);
  throw new ServerError(31262, 'The body function must evaluate to type string or code');
}

export function isCode({ type }: Value): boolean {
  return type === bsonTypes.string || type === bsonTypes.javascript;
}

function checkLanguage(fields: RawDocument): void {
  const language = fields.get('lang');
  if (language === undefined) throw new ServerError(31418, 'The lang field must be specified.');
  if (language.type === bsonTypes.string && textOf(language) === 'js') return;
  throw new ServerError(31419, "Currently the only supported language specifier is 'js'.");
}
