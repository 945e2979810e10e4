export { type DocumentInput, openApiDocument } from './document.ts';
export { type Edition, editionsOf, legacyEdition } from './edition.ts';
export { type AnyFaultTable, type DocumentedFault, faultRulesOf } from './fault-rules.ts';
export { DocumentLibrary, type ServedText, servedText } from './library.ts';
export { documentMounts } from './mounts.ts';
