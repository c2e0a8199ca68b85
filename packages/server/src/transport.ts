// Exports what transports share, also for routes of plugins and of an application: the context of a request, its
// id and query string, the path prefix of the content API, the budget of bytes, strict parsing of bodies, and the form of
// errors. It does not load Fastify, so a plugin that imports it does not slow down the command line.

export { apiPrefix, setApiPrefix } from './api-prefix.ts'
export { type ApplicationName, applicationName } from './application-name.ts'
export { bytesOfAnswer } from './budget/answer-bytes.ts'
export { Budget, type BudgetOptions } from './budget/budget.ts'
export { type Kind as BudgetKind, kinds as budgetKinds } from './budget/kinds.ts'
export { budgetOf, callerOf, promiseRelease, releaseShare, shareOf } from './budget/requests.ts'
export { Share } from './budget/share.ts'
export { byteSizeSchema, bytesOfSize } from './byte-size.ts'
export { clientAddress } from './client-address.ts'
export { declareConstantHeaders } from './constant-headers.ts'
export { contextOf } from './context.ts'
export { type CorsOptions, type CorsSetting, corsSchema, type OriginFunction } from './cors/config.ts'
export { addCorsHeaders, hasCors, setCors, withoutOtherCors } from './cors/cors.ts'
export type { CorsHeaderNames } from './cors/header-names.ts'
export type {
  DescribedAnswer,
  DescribedBody,
  DescribedOperation,
  DescribedParameter,
  DescribeOperation,
  JsonSchema,
  QueryAction,
  SchemaTools,
} from './described-operation.ts'
export { type ErrorBody, toErrorBody } from './error-body.ts'
export { registerErrorHandler, sendError } from './error-handler.ts'
// An import would not stand in the built types, and what host.ts declares would not reach the packages that import it.
export type {} from './host.ts'
export { parseJson, parseJsonText } from './json.ts'
export { type MultipartRules, readMultipart } from './multipart.ts'
export { type MultipartPart, type PartLimits, readParts } from './multipart-parts.ts'
export { pauseAfterRefusal } from './paused-connections.ts'
export { parseNested } from './query.ts'
export { idOf, queryStringOf } from './request-url.ts'
export { routesOf } from './routes.ts'
export { cite, cutMessage, type ShownError, shownError } from './shown-error.ts'
export { nextSlice } from './slices.ts'
export { checkText } from './text.ts'
