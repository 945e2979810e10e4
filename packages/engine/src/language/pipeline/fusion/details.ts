import { writeDocument } from '../../../bson/document-writer.ts';
import { double, string, type Value } from '../../../bson/value.ts';
import { arrayOf } from '../../expression/field-path.ts';

/** Creates the details of a score: its description and inputs, with `more` between them. */
export function scoreDetails(
  score: number,
  summary: {
    readonly description: string;
    readonly more?: Readonly<Record<string, Value>>;
    readonly details: readonly Value[];
  },
): Value {
  return writeDocument((writer) => {
    writer.field('value', double(score));
    writer.field('description', string(summary.description));
    for (const [name, value] of Object.entries(summary.more ?? {})) writer.field(name, value);
    writer.field('details', arrayOf(summary.details));
  }).toValue();
}

/**
 * Creates the details of one input for a document. `measure` is the name of the value that the input provides. The
 * value is `NA` if the input does not contain the document.
 */
export function inputDetails(
  input: string,
  measured: string,
  weight: number,
  part: { readonly measure: Value; readonly value: number | undefined } | undefined,
): Value {
  return writeDocument((writer) => {
    writer.field('inputPipelineName', string(input));
    if (part === undefined) {
      writer.field(measured, string('NA'));
      return;
    }
    writer.field(measured, part.measure);
    writer.field('weight', double(weight));
    if (part.value !== undefined) writer.field('value', double(part.value));
    writer.field('details', arrayOf([]));
  }).toValue();
}
