// Declares and carries out the requests of collection types and single types. How they are sent is not known here.

import { ClientError } from './client-error.ts'
import { flatten } from './flatten.ts'
import { queryOf } from './query.ts'
import type { Call } from './send.ts'
import type { AnswerForm, MemberOf } from './types/content.ts'
import type { PageOf, TypedEntry, UntypedOf } from './types/entry.ts'
import type { Exact } from './types/exact.ts'
import type { AllOptions, EntryOptions, FindOptions, UntypedOptions } from './types/options.ts'

export type Id = number | string

/** An entry, and what plugins add to the answer. */
export interface One<Entry> {
  data: Entry
  meta: Record<string, unknown>
}

/** Entries, and the page that they are. */
export interface List<
  Entry,
  Page = Partial<Record<'page' | 'pageSize' | 'pageCount' | 'start' | 'limit' | 'total', number>>,
> {
  data: Entry[]
  meta: { pagination: Page }
}

/** Reads and writes entries of a collection type. The last argument is for fetch, such as an abort signal. */
export interface Collection<Uid, Form extends AnswerForm> {
  find<const Options extends FindOptions<Uid>>(
    options?: Options & Exact<Options, FindOptions<Uid>>,
    init?: RequestInit,
  ): Promise<List<TypedEntry<Uid, Form, Options>, PageOf<Options>>>
  /** All entries of a list, which are read page by page. */
  all<const Options extends AllOptions<Uid>>(
    options?: Options & Exact<Options, AllOptions<Uid>>,
    init?: RequestInit,
  ): AsyncGenerator<TypedEntry<Uid, Form, Options>, void, undefined>
  findOne<const Options extends EntryOptions<Uid>>(
    id: Id,
    options?: Options & Exact<Options, EntryOptions<Uid>>,
    init?: RequestInit,
  ): Promise<One<TypedEntry<Uid, Form, Options>>>
  create<const Options extends EntryOptions<Uid>>(
    data: MemberOf<Uid, 'create'>,
    options?: Options & Exact<Options, EntryOptions<Uid>>,
    init?: RequestInit,
  ): Promise<One<TypedEntry<Uid, Form, Options>>>
  update<const Options extends EntryOptions<Uid>>(
    id: Id,
    data: MemberOf<Uid, 'update'>,
    options?: Options & Exact<Options, EntryOptions<Uid>>,
    init?: RequestInit,
  ): Promise<One<TypedEntry<Uid, Form, Options>>>
  /** Answers the entry as it was. */
  delete<const Options extends EntryOptions<Uid>>(
    id: Id,
    options?: Options & Exact<Options, EntryOptions<Uid>>,
    init?: RequestInit,
  ): Promise<One<TypedEntry<Uid, Form, Options>>>
}

/** Reads and writes the entry of a single type. */
export interface Single<Uid, Form extends AnswerForm> {
  find<const Options extends EntryOptions<Uid>>(
    options?: Options & Exact<Options, EntryOptions<Uid>>,
    init?: RequestInit,
  ): Promise<One<TypedEntry<Uid, Form, Options>>>
  /** Changes the entry, or creates it. */
  update<const Options extends EntryOptions<Uid>>(
    data: MemberOf<Uid, 'update'>,
    options?: Options & Exact<Options, EntryOptions<Uid>>,
    init?: RequestInit,
  ): Promise<One<TypedEntry<Uid, Form, Options>>>
  delete<const Options extends EntryOptions<Uid>>(
    options?: Options & Exact<Options, EntryOptions<Uid>>,
    init?: RequestInit,
  ): Promise<One<TypedEntry<Uid, Form, Options>>>
}

/** A collection of a type that is not known to the compiler. */
export interface UntypedCollection<Form extends AnswerForm> {
  find(options?: UntypedOptions, init?: RequestInit): Promise<List<UntypedOf<Form>>>
  all(options?: UntypedOptions, init?: RequestInit): AsyncGenerator<UntypedOf<Form>, void, undefined>
  findOne(id: Id, options?: UntypedOptions, init?: RequestInit): Promise<One<UntypedOf<Form>>>
  create(data: object, options?: UntypedOptions, init?: RequestInit): Promise<One<UntypedOf<Form>>>
  update(id: Id, data: object, options?: UntypedOptions, init?: RequestInit): Promise<One<UntypedOf<Form>>>
  delete(id: Id, options?: UntypedOptions, init?: RequestInit): Promise<One<UntypedOf<Form>>>
}

/** A single type that is not known to the compiler. */
export interface UntypedSingle<Form extends AnswerForm> {
  find(options?: UntypedOptions, init?: RequestInit): Promise<One<UntypedOf<Form>>>
  update(data: object, options?: UntypedOptions, init?: RequestInit): Promise<One<UntypedOf<Form>>>
  delete(options?: UntypedOptions, init?: RequestInit): Promise<One<UntypedOf<Form>>>
}

/** Sends a request and returns the body of the answer. */
type Send = (call: Call) => Promise<unknown>

/** One request of an endpoint. */
interface Request {
  readonly method: string
  readonly path: string
  readonly data?: object
  readonly options?: object | undefined
  readonly init?: RequestInit | undefined
}

/** Returns a function that sends requests, and unwraps v4's form if answers are to be flat. */
function answering(send: Send, isFlat: boolean) {
  return async <Result>({ method, path, data, options = {}, init }: Request): Promise<Result> => {
    const query = queryOf(options)
    const body = data === undefined ? {} : { body: { data } }
    const answer = await send({ method, path: query === '' ? path : `${path}?${query}`, ...body, init })
    if (!isFlat) return answer as Result
    const { data: entries, ...rest } = answer as { readonly data: unknown }
    return { data: flatten(entries, (options as { readonly populate?: unknown }).populate), ...rest } as Result
  }
}

/** Returns the path of an entry. Throws ClientError for an empty id or one of dots alone, which would be another path. */
function pathOf(path: string, id: Id): string {
  const text = String(id ?? '')
  if (/^\.*$/.test(text)) throw new ClientError(`${path}: "${text}" is not the id of an entry`, { code: 'InvalidId' })
  return `${path}/${encodeURIComponent(text)}`
}

/** The entries of the collection type with this path. */
export function collectionOf<Form extends AnswerForm>(
  path: string,
  send: Send,
  isFlat: boolean,
): UntypedCollection<Form> {
  const request = answering(send, isFlat)
  type Entry = UntypedOf<Form>
  const find = (options?: UntypedOptions, init?: RequestInit) =>
    request<List<Entry>>({ method: 'GET', path, options, init })
  return {
    find,
    async *all({ pageSize = 100, ...options } = {}, init) {
      for (let page = 1; ; page++) {
        const { data, meta } = await find({ ...options, pagination: { page, pageSize, withCount: false } }, init)
        yield* data
        // The server may have smaller pages than were asked for.
        if (data.length < (meta.pagination.pageSize ?? pageSize)) return
      }
    },
    findOne: async (id, options, init) => request({ method: 'GET', path: pathOf(path, id), options, init }),
    create: (data, options, init) => request({ method: 'POST', path, data, options, init }),
    update: async (id, data, options, init) => request({ method: 'PUT', path: pathOf(path, id), data, options, init }),
    delete: async (id, options, init) => request({ method: 'DELETE', path: pathOf(path, id), options, init }),
  }
}

/** The entry of the single type with this path. */
export function singleOf<Form extends AnswerForm>(path: string, send: Send, isFlat: boolean): UntypedSingle<Form> {
  const request = answering(send, isFlat)
  return {
    find: (options, init) => request({ method: 'GET', path, options, init }),
    update: (data, options, init) => request({ method: 'PUT', path, data, options, init }),
    delete: (options, init) => request({ method: 'DELETE', path, options, init }),
  }
}
