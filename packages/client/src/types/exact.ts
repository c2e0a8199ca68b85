// Refuses unknown keys in options whose literal types are inferred. The compiler checks excess keys of object literals only
// if their type is not a type parameter.

import type { ExactPaths, UnknownName } from './paths.ts'
import type { ItemsOf, KeysOf, MembersAt, Plain } from './unions.ts'

/** The members of a union that name the keys of an object literal. Those with any key name none. */
type RecordsOf<Union> = Union extends Plain | readonly unknown[] ? never : string extends keyof Union ? never : Union

/**
 * The type to intersect with the type `Passed` of options: `unknown` where `Allowed` has their keys and values, at every
 * depth, and a type that does not accept them for other keys and values. It contains no part of `Passed`: the compiler would
 * combine each word that an option may have with each other one.
 */
export type Exact<Passed, Allowed> = unknown extends Allowed
  ? unknown
  : Passed extends Plain
    ? Passed extends Allowed
      ? unknown
      : Allowed
    : Passed extends readonly unknown[]
      ? { readonly [At in keyof Passed]: Exact<Passed[At], ItemsOf<Allowed>> }
      : { readonly [Key in keyof Passed]: ExactMember<Passed[Key], Key, RecordsOf<Allowed>> }

type ExactMember<Passed, Key, Allowed> = [Allowed] extends [never]
  ? unknown
  : Key extends KeysOf<Allowed>
    ? Exact<Passed, MembersAt<Allowed, Key>> & ExactPaths<Key, Passed, Allowed>
    : UnknownName<Key>
