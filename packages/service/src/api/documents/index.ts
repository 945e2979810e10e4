export { type DocumentInput, openApiDocument } from './document.ts';

export { faultRulesOf } from './fault-rules.ts';
export { DocumentLibrary } from './library.ts';
