// Checks the paths of `populate` and `sort` beyond their second name. Only paths that a caller has written are looked at:
// a union of all possible ones would be too large for the compiler.

import type { FieldOf, LinkName, TargetAt } from './content.ts'

/** The key at which options carry the type whose entries they choose. Only the compiler knows it. */
export declare const chosenType: unique symbol

/** Options for entries of one type, or of one of several. */
export interface ChosenType<Uid> {
  readonly [chosenType]?: readonly [Uid]
}

/** The order behind the name in a sort key; ascending without one. */
export type Order = '' | ':asc' | ':desc'

/** `unknown` for the name that a path ends with, and a text that the compiler cites for a wrong one. */
type EndOf<Key, Name, Uid> = Name extends (Key extends 'sort' ? `${FieldOf<Uid>}${Order}` : LinkName<Uid> | '*')
  ? unknown
  : UnknownName<Name>

type PathOf<Key, Path, Uid> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends LinkName<Uid>
    ? // A polymorphic relation may lead to any type.
      [TargetAt<Uid, Head>] extends [never]
      ? unknown
      : PathOf<Key, Rest, TargetAt<Uid, Head>>
    : UnknownName<Head>
  : EndOf<Key, Path, Uid>

/** The type that the compiler cites for an unknown name. */
export type UnknownName<Name> = `${Name & string} is not known here`

/**
 * The type to intersect with the type of an option at `populate` or `sort` of `Allowed`: `unknown` if its paths are right,
 * and a type that does not accept them if one of them names what is not there.
 */
export type ExactPaths<Key, Passed, Allowed> = Key extends 'populate' | 'sort'
  ? Allowed extends { readonly [chosenType]?: readonly [infer Uid] }
    ? PathsIn<Key, Passed, Uid>
    : unknown
  : unknown

type PathsIn<Key, Passed, Uid> = Passed extends `${string}.${string}.${string}`
  ? PathOf<Key, Passed, Uid>
  : Passed extends readonly unknown[]
    ? { readonly [At in keyof Passed]: PathsIn<Key, Passed[At], Uid> }
    : unknown
