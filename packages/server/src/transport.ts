// What transports share, also with routes of an application: who asks, and bodies read strictly. Loads no Fastify, so that a
// plugin that imports it costs a command line nothing.

import type {} from './host.ts'

export { contextOf } from './context.ts'
export { parseJson, parseJsonText } from './json.ts'
export { type MultipartRules, readMultipart } from './multipart.ts'
export { checkText } from './text.ts'
