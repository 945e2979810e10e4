import { changeOf, changeText, type Run } from './change.ts';
import { type Figure, meets, ratioOf } from './figure.ts';

/** Returns a Markdown table of the figures, compared with those of the run `before`. */
export function table({ figures, machine }: Run, before?: Run): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${number(figure.value)} ${figure.unit}`,
    figure.baseline ? `${number(figure.baseline.value)} (${figure.baseline.name})` : '',
    ratioText(figure),
    changeText(changeOf(figure, machine, before)),
    targetText(figure),
    { true: 'met', false: 'missed', undefined: '' }[String(meets(figure)) as 'true' | 'false' | 'undefined'],
  ]);
  const header = ['Figure', 'Measured', 'Baseline', 'Ratio', 'Change', 'Target', ''];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function ratioText(figure: Figure): string {
  const ratio = ratioOf(figure);
  return ratio === undefined ? '' : ratio.toFixed(2);
}

function targetText({ target, unit }: Figure): string {
  if (!target) return '';
  const sign = target.better === 'higher' ? '≥' : '≤';
  return target.of === 'ratio' ? `ratio ${sign} ${target.bound}` : `${sign} ${number(target.bound)} ${unit}`;
}

function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
