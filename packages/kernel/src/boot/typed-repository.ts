// Declares `kernel.query(uid)` for the content types that a written file of types describes. The class is `Repository`.

import type { ContentTypeUid, Side } from '../typed/content-types.ts'
import type { Exact } from '../typed/exact.ts'
import type { TypedEntry } from '../typed/typed-entry.ts'
import type {
  TypedCreateOptions,
  TypedFindOneOptions,
  TypedFindOptions,
  TypedUpdateOptions,
} from '../typed/typed-options.ts'
import type { EntryPage, Id } from './repository.ts'

/**
 * The uid of a content type. Other literals are refused if the types of the application are known, and texts that are known
 * at run time only are not.
 */
export type KnownUid<Uid extends string> = [ContentTypeUid] extends [never]
  ? Uid
  : Record<never, never> extends Record<Uid, unknown>
    ? Uid
    : `there is no content type ${Uid}`

/** Reads and writes entries of one type; entries have what the options choose. The methods are those of Repository. */
export interface TypedRepository<Uid, Of extends Side> {
  findMany<const Options extends TypedFindOptions<Uid, Of>>(
    options?: Options & Exact<Options, TypedFindOptions<Uid, Of>>,
  ): Promise<TypedEntry<Uid, Of, Options>[]>
  findPage<const Options extends TypedFindOptions<Uid, Of>>(
    options?: Options & Exact<Options, TypedFindOptions<Uid, Of>>,
  ): Promise<Omit<EntryPage, 'entries'> & { readonly entries: TypedEntry<Uid, Of, Options>[] }>
  findOne<const Options extends TypedFindOneOptions<Uid, Of>>(
    id: Id,
    options?: Options & Exact<Options, TypedFindOneOptions<Uid, Of>>,
  ): Promise<TypedEntry<Uid, Of, Options> | null>
  count(options?: TypedFindOptions<Uid, Of>): Promise<number>
  create<const Options extends TypedCreateOptions<Uid, Of>>(
    options: Options & Exact<Options, TypedCreateOptions<Uid, Of>>,
  ): Promise<TypedEntry<Uid, Of, Options>>
  update<const Options extends TypedUpdateOptions<Uid, Of>>(
    id: Id,
    options: Options & Exact<Options, TypedUpdateOptions<Uid, Of>>,
  ): Promise<TypedEntry<Uid, Of, Options> | null>
  delete<const Options extends TypedFindOneOptions<Uid, Of>>(
    id: Id,
    options?: Options & Exact<Options, TypedFindOneOptions<Uid, Of>>,
  ): Promise<TypedEntry<Uid, Of, Options> | null>
}
