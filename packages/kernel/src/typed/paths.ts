// Checks the paths of `populate` and `sort` beyond their second name. Only paths that a caller has written are looked at:
// a union of all possible ones would be too large for the compiler.

import type { FieldOf, LinkName, Side, TargetAt } from './content-types.ts'

/** The key at which options carry the type whose entries they choose. Only the compiler knows it. */
export declare const chosenType: unique symbol

/** Options for entries of one type, or of one of several. */
export interface ChosenType<Uid, Of extends Side> {
  readonly [chosenType]?: readonly [Uid, Of]
}

/** The order behind the name in a sort key; ascending without one. */
export type Order = '' | ':asc' | ':desc'

/** `unknown` for the name that a path ends with, and a text that the compiler cites for a wrong one. */
type EndOf<Key, Name, Uid, Of extends Side> = Name extends (
  Key extends 'sort'
    ? `${FieldOf<Uid, Of>}${Order}`
    : LinkName<Uid, Of> | '*'
)
  ? unknown
  : UnknownName<Name>

type PathOf<Key, Path, Uid, Of extends Side> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends LinkName<Uid, Of>
    ? // A polymorphic relation may lead to any type.
      [TargetAt<Uid, Of, Head>] extends [never]
      ? unknown
      : PathOf<Key, Rest, TargetAt<Uid, Of, Head>, Of>
    : UnknownName<Head>
  : EndOf<Key, Path, Uid, Of>

/** The type that the compiler cites for an unknown name. */
export type UnknownName<Name> = `${Name & string} is not known here`

/**
 * The type that is added to the type of an option at `populate` or `sort` of `Allowed`: nothing (`unknown`) if its paths are
 * right, and a type that it is not if one of them names what is not there.
 */
export type ExactPaths<Key, Passed, Allowed> = Key extends 'populate' | 'sort'
  ? Allowed extends { readonly [chosenType]?: readonly [infer Uid, infer Of extends Side] }
    ? PathsIn<Key, Passed, Uid, Of>
    : unknown
  : unknown

type PathsIn<Key, Passed, Uid, Of extends Side> = Passed extends `${string}.${string}.${string}`
  ? PathOf<Key, Passed, Uid, Of>
  : Passed extends readonly unknown[]
    ? { readonly [At in keyof Passed]: PathsIn<Key, Passed[At], Uid, Of> }
    : unknown
