export { type DocumentInput, openApiDocument } from './document.ts';

export { type AnyFaultTable, faultRulesOf } from './fault-rules.ts';
export { DocumentLibrary } from './library.ts';
