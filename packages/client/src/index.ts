// The public surface of @plinth/client: makes clients of the REST API, in browsers and elsewhere.

export {
  type Client,
  createClient,
  type FileInfo,
  type MediaFile,
  type RouteRequest,
  type UploadOptions,
  type User,
} from './client.ts'
export { ClientError } from './client-error.ts'
export type { Collection, Id, List, One, Single, UntypedCollection, UntypedSingle } from './endpoints.ts'
export type { Media } from './media.ts'
export type { ClientOptions, Progress, Token } from './send.ts'
export type { AnswerForm, CollectionUids, SingleUids, UntypedEntry } from './types/content.ts'
export type { PageOf, TypedEntry, UntypedOf, V4Entry } from './types/entry.ts'
export type { AllOptions, EntryOptions, FindOptions, PageOptions, Populate, UntypedOptions } from './types/options.ts'
