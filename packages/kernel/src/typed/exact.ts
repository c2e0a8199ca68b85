// Refuses unknown keys in options whose literal types are inferred. The compiler checks excess keys of object literals only
// if their type is not a type parameter.

import type { Under } from '../query/populate-options.ts'
import type { ExactPaths, UnknownName } from './paths.ts'
import type { ItemsOf, KeysOf, Plain } from './unions.ts'

type MemberOf<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never

/** The members of a union that name the keys of an object literal. Those with any key name none. */
type RecordsOf<Union> = Union extends Plain | readonly unknown[] | Under
  ? never
  : string extends keyof Union
    ? never
    : Union

/**
 * The type that is added to the type `Passed` of options: nothing (`unknown`) where `Allowed` has their keys and values, at
 * every depth, and a type that they are not for other keys and values. A key of its own with a value made by `under` is
 * allowed where the attribute that it names is. It contains no part of `Passed`: the compiler would combine each word that
 * an option may have with each other one.
 */
export type Exact<Passed, Allowed> = unknown extends Allowed
  ? unknown
  : Passed extends Plain | Under
    ? Passed extends Allowed
      ? unknown
      : Allowed
    : Passed extends readonly unknown[]
      ? { readonly [At in keyof Passed]: Exact<Passed[At], ItemsOf<Allowed>> }
      : { readonly [Key in keyof Passed]: ExactMember<Passed[Key], Key, RecordsOf<Allowed>> }

type ExactMember<Passed, Key, Allowed> = [Allowed] extends [never]
  ? unknown
  : Key extends KeysOf<Allowed>
    ? Exact<Passed, MemberOf<Allowed, Key>> & ExactPaths<Key, Passed, Allowed>
    : Passed extends Under<infer Name>
      ? Name extends KeysOf<Allowed>
        ? unknown
        : UnknownName<Name>
      : UnknownName<Key>
