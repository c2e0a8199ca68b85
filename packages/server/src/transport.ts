// Exports what transports share, also for routes of plugins and of an application: the context of a request, the path
// prefix of the content API, and strict parsing of bodies. It does not load Fastify, so a plugin that imports it does not slow down the command line.

// An import would not stand in the built types, and what host.ts declares would not reach the packages that import it.
export type {} from './host.ts'

export { apiPrefix, setApiPrefix } from './api-prefix.ts'
export { contextOf } from './context.ts'
export { parseJson, parseJsonText } from './json.ts'
export { type MultipartRules, readMultipart } from './multipart.ts'
export { type MultipartPart, type PartLimits, readParts } from './multipart-parts.ts'
export { parseNested } from './query.ts'
export { checkText } from './text.ts'
