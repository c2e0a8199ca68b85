// Makes clients: endpoints by name, files, and accounts.

import {
  type Collection,
  collectionOf,
  type Id,
  type Single,
  singleOf,
  type UntypedCollection,
  type UntypedSingle,
} from './endpoints.ts'
import { type Media, srcOf, srcsetOf } from './media.ts'
import { queryOf } from './query.ts'
import { addressOf, type Call, type ClientOptions, type Progress, send, type Token } from './send.ts'
import type { AnswerForm, CollectionUids, OtherName, PluginEntry, SingleUids } from './types/content.ts'

/** A file of the media library. */
export type MediaFile = PluginEntry<'plugin::upload.file'>
/** A user, as the routes of accounts answer it. */
export type User = PluginEntry<'plugin::users-permissions.user'>

/** The description of an uploaded file. */
export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string
  readonly caption?: string
}

export interface UploadOptions {
  /** The description of the file; for several files, a list. */
  readonly info?: FileInfo | readonly FileInfo[]
  /** The attribute of an entry that the files are linked to: `ref` is the uid of its type. */
  readonly link?: { readonly ref: string; readonly refId: Id; readonly field: string }
  /** The id of a file whose content is replaced. */
  readonly replace?: Id
  /** Called while the files are sent, where there is an XMLHttpRequest: in browsers. */
  readonly onProgress?: (progress: Progress) => void
}

/** A request to any route below the prefix. */
export interface RouteRequest {
  readonly method?: string
  /** Written in brackets, such as `filters`. */
  readonly query?: object
  /** JSON, or a form. */
  readonly body?: unknown
}

/** A client. Called with the name of a collection type it returns the methods that read and write its entries. */
export interface Client<Form extends AnswerForm> {
  <Name extends keyof CollectionUids & string>(name: Name): Collection<CollectionUids[Name], Form>
  <Name extends string>(name: OtherName<Name>): UntypedCollection<Form>
  /** Returns the methods that read and write the entry of a single type. */
  single<Name extends keyof SingleUids & string>(name: Name): Single<SingleUids[Name], Form>
  single<Name extends string>(name: OtherName<Name>): UntypedSingle<Form>
  /** Sends a request to a route of the application or of a plugin, and returns the body of the answer as it is. */
  request(path: string, request?: RouteRequest, init?: RequestInit): Promise<unknown>
  /** Logs in; further requests of this client have the user's token. */
  login(
    credentials: { readonly identifier: string; readonly password: string },
    init?: RequestInit,
  ): Promise<{ jwt: string; user: User }>
  /** Sets the token of further requests; null is none. */
  setToken(token: Token): void
  /** Another client like this one, with a token of its own: on a server, one for each visitor. */
  withToken(token: Token): Client<Form>
  /** Uploads files, and returns their records. */
  upload(files: Blob | readonly Blob[], options?: UploadOptions, init?: RequestInit): Promise<MediaFile[]>
  /** The address of a file; an empty text if there is none. */
  src(media: Media): string
  /** The picture and its formats for the attribute `srcset`; an empty text if there are no widths. */
  srcset(media: Media): string
}

/** Makes a client of the REST API, whose answers are flat or in v4's form. */
export function createClient(options: ClientOptions & { readonly flat: true }): Client<'flat'>
export function createClient(options: ClientOptions & { readonly flat?: false }): Client<'v4'>
export function createClient(options: ClientOptions): unknown {
  return clientOf(options)
}

function clientOf<Form extends AnswerForm>(options: ClientOptions): Client<Form> {
  const { flat: isFlat = false } = options
  const address = addressOf(options)
  let token: Token = options.token ?? null
  const call = (one: Call) => send({ ...options, token }, one)
  const collection = (name: string) => collectionOf<Form>(`/${name}`, call, isFlat)
  const single = (name: string) => singleOf<Form>(`/${name}`, call, isFlat)
  const members: Omit<Client<Form>, 'single'> = {
    request(path, { method = 'GET', query = {}, body } = {}, init) {
      const text = queryOf(query)
      return call({ method, path: text === '' ? path : `${path}?${text}`, body, init })
    },
    async login(body, init) {
      // With a token that has expired, every route is a 401.
      const answer = await send({ ...options, token: null }, { method: 'POST', path: '/auth/local', body, init })
      const { jwt, user } = answer as { readonly jwt: string; readonly user: User }
      token = jwt
      return { jwt, user }
    },
    setToken(next) {
      token = next
    },
    withToken: next => clientOf({ ...options, token: next }),
    async upload(files, { info, link = {}, replace, onProgress } = {}, init) {
      const body = new FormData()
      for (const file of [files].flat() as Blob[]) body.append('files', file)
      if (info !== undefined) body.append('fileInfo', JSON.stringify(info))
      for (const [name, value] of Object.entries(link)) body.append(name, String(value))
      const query = replace === undefined ? '' : `?${queryOf({ id: replace })}`
      const answer = await call({ method: 'POST', path: `/upload${query}`, body, init, onProgress })
      return [answer].flat() as MediaFile[]
    },
    src: media => srcOf(media, address),
    srcset: media => srcsetOf(media, address),
  }
  return Object.assign(collection, members, { single }) as unknown as Client<Form>
}
