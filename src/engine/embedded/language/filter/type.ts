import { leaf, type OperatorTable } from './operator.ts';
import { parseTypes } from './type-set.ts';

export const typeOperators: OperatorTable = {
  $type: (operand, path) => {
    const types = parseTypes(operand, '$type');
    return leaf('$type', path, (value) => value !== undefined && types.has(value.type));
  },
};
