import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, entriesOf } from '../../../bson/raw.ts';
import { type Element, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { ScriptFunction } from '../../scripts.ts';
import type { Expression } from '../expression.ts';
import { arrayOf } from '../field-path.ts';
import { enabledScripts, isCode } from '../function.ts';
import type { Accumulator, AccumulatorContext, AccumulatorKind, AccumulatorTable } from './accumulator.ts';

export const scriptAccumulators: AccumulatorTable = { $accumulator: compileAccumulator };

/** The error codes for missing functions. */
const required = { init: 4544707, accumulate: 4544708, merge: 4544709 } as const;

/**
 * Compiles `$accumulator` from the client's functions: `init` creates a state, `accumulate` adds a document to it,
 * `finalize` computes the result.
 */
function compileAccumulator(operand: Element, context: AccumulatorContext): ReturnType<AccumulatorKind> {
  const { codes, initArgs, accumulateArgs } = parse(operand, context);
  const { scripts } = context.environment;
  if (scripts === undefined) throw new ServerError(31264, 'Scripts are not allowed in this context');
  const enabled = enabledScripts(scripts);
  const compiled = (name: string): ScriptFunction => enabled.compile(codes.get(name) as string);
  const [init, accumulate] = [compiled('init'), compiled('accumulate')];
  const finalize = codes.has('finalize') ? compiled('finalize') : undefined;
  return (group): Accumulator => {
    const given = initArgs?.evaluate({ root: group }) ?? arrayOf([]);
    if (given.type !== bsonTypes.array) {
      throw new ServerError(4544711, '$accumulator initArgs must evaluate to an array');
    }
    let state = init.call(entriesOf(given));
    return {
      add(scope) {
        const args = accumulateArgs.evaluate(scope);
        if (args?.type !== bsonTypes.array) {
          throw new ServerError(4544712, '$accumulator accumulateArgs must evaluate to an array');
        }
        state = accumulate.call([state, ...entriesOf(args)]);
      },
      result: () => finalize?.call([state]) ?? state,
    };
  };
}

interface Parsed {
  /** The source code of `init`, `accumulate`, `merge` and `finalize`, by name. */
  readonly codes: ReadonlyMap<string, string>;
  readonly initArgs: Expression | undefined;
  readonly accumulateArgs: Expression;
}

function parse(operand: Element, { compile }: AccumulatorContext): Parsed {
  if (operand.type !== bsonTypes.object) {
    throw new ServerError(
      4544703,
      `$accumulator expects an object as an argument; found: ${typeName(operand.type)}`,
    );
  }
  const codes = new Map<string, string>();
  const args = new Map<string, Expression>();
  for (const element of documentOf(operand)) {
    const { name } = element;
    if (name in required || name === 'finalize') codes.set(name, codeOf(name, compile(element).constant));
    else if (name === 'initArgs' || name === 'accumulateArgs') args.set(name, compile(element));
    else if (name === 'lang') checkLanguage(element);
    else throw new ServerError(4544706, `$accumulator got an unexpected field: ${name}`);
  }
  for (const [name, code] of Object.entries(required)) {
    if (!codes.get(name)) throw new ServerError(code, `$accumulator missing required argument '${name}'`);
  }
  const accumulateArgs = args.get('accumulateArgs');
  if (accumulateArgs === undefined) {
    throw new ServerError(4544710, "$accumulator missing required argument 'accumulateArgs'");
  }
  return { codes, initArgs: args.get('initArgs'), accumulateArgs };
}

function codeOf(name: string, value: Value | undefined): string {
  if (value === undefined) {
    throw new ServerError(4544701, `$accumulator '${name}' must be a constant expression`);
  }
  if (isCode(value)) return textOf(value);
  throw new ServerError(4544702, `$accumulator '${name}' must be a String or Code`);
}

function checkLanguage(element: Element): void {
  if (element.type !== bsonTypes.string) {
    throw new ServerError(4544704, `$accumulator lang must be a string; found: ${typeName(element.type)}`);
  }
  if (textOf(element) !== 'js') throw new ServerError(4544705, "$accumulator only supports lang: 'js'");
}
