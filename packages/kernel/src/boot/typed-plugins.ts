// Computes the type of a config/plugins file from the settings of its plugins, which `plinth types` writes into
// `Plinth.PluginSettings`. Without them, every setting of every plugin is accepted.

import type { ItemsOf, KeysOf, Plain } from '../typed/unions.ts'
import type { PluginEntry, PluginsConfig } from './plugin-entry.ts'

// An import would not stand in the built types.
export type {} from '../typed/content-types.ts'

type TypedEntries = { readonly [Name in keyof Plinth.PluginSettings]?: PluginEntry<Plinth.PluginSettings[Name]> }

/** The content of a config/plugins file. It offers editors the typed entries; CheckedPlugins refuses other ones. */
export type TypedPlugins = (TypedEntries & PluginsConfig) | PluginsConfig

/**
 * The type `Passed` of a config/plugins file where its entries are right, and a type that they are not elsewhere. Plugins
 * without written settings may have any, unless their names are nearly those of others.
 */
export type CheckedPlugins<Passed> = {
  readonly [Name in keyof Passed]: Name extends keyof Plinth.PluginSettings
    ? CheckedEntry<Passed[Name], Plinth.PluginSettings[Name]>
    : Passed[Name] extends FreeEntry
      ? CheckedEntry<Passed[Name], AnySettings>
      : [Meant<Name, keyof Plinth.PluginSettings>] extends [never]
        ? CheckedEntry<Passed[Name], AnySettings>
        : DidYouMean<Meant<Name, keyof Plinth.PluginSettings>>
}

type AnySettings = Readonly<Record<string, unknown>>

type EntryOptions = Exclude<PluginEntry, boolean>

type CheckedEntry<Passed, Settings> = unknown extends Passed
  ? Passed
  : Passed extends boolean | undefined
    ? Passed
    : Passed extends object
      ? {
          readonly [Key in keyof Passed]: Key extends 'config'
            ? Checked<Passed[Key], Settings | undefined>
            : Key extends keyof EntryOptions
              ? Passed[Key] extends EntryOptions[Key]
                ? Passed[Key]
                : ExpectedType<EntryOptions[Key]>
              : NotKnown<Key, keyof EntryOptions>
        }
      : ExpectedType<PluginEntry<Settings>>

/** An entry whose name may be any: it says where its plugin is, or that there is none. */
type FreeEntry = false | { readonly resolve: string } | { readonly plugin: object } | { readonly enabled: false }

/** The type that the compiler cites for an unknown name, with the nearest name. */
interface DidYouMean<Name> {
  readonly nearest: Name
  readonly [isWrong]: true
}

/** The type that the compiler cites for an unknown setting. */
interface NotASetting<Name> {
  readonly name: Name
  readonly [isWrong]: true
}

/** The type that the compiler cites for a value of another type than that of the setting. */
interface ExpectedType<Type> {
  readonly expected: Type
  readonly [isWrong]: true
}

declare const isWrong: unique symbol

type RecordsOf<Union> = Union extends Plain | readonly unknown[] ? never : Union

/** The values of a key in the members of a union, those of records included. */
type ValueAt<Union, Key> = Union extends unknown
  ? Key extends keyof Union
    ? Union[Key]
    : string extends keyof Union
      ? Union[keyof Union]
      : never
  : never

/** The type `Passed` of a value where it is `Allowed`, at every depth, and a type that it is not elsewhere. */
type Checked<Passed, Allowed> = unknown extends Allowed
  ? Passed
  : unknown extends Passed
    ? Passed
    : Passed extends Plain
      ? Passed extends Allowed
        ? Passed
        : ExpectedType<NonNullable<Allowed>>
      : Passed extends readonly unknown[]
        ? Passed extends Allowed
          ? Passed
          : { readonly [At in keyof Passed]: Checked<Passed[At], ItemsOf<Allowed>> }
        : [RecordsOf<Allowed>] extends [never]
          ? ExpectedType<NonNullable<Allowed>>
          : { readonly [Key in keyof Passed]: CheckedMember<Passed[Key], Key, RecordsOf<Allowed>> }

type CheckedMember<Passed, Key, Allowed> =
  Key extends KeysOf<Allowed>
    ? Checked<Passed, ValueAt<Allowed, Key>>
    : string extends KeysOf<Allowed>
      ? Checked<Passed, ValueAt<Allowed, Key>>
      : NotKnown<Key, KeysOf<Allowed>>

type NotKnown<Key, Keys> = [Meant<Key, Keys>] extends [never] ? NotASetting<Key> : DidYouMean<Meant<Key, Keys>>

/** The names that a name is near. */
type Meant<Name, Names> = Name extends string
  ? Names extends string
    ? IsNear<Name, Names> extends true
      ? Names
      : never
    : never
  : never

/** True if one character of a text is missing, too much or another one than in the other text, or two are exchanged. */
type IsNear<One extends string, Other extends string> = One extends `${infer First}${infer Rest}`
  ? Other extends `${infer OtherFirst}${infer OtherRest}`
    ? First extends OtherFirst
      ? IsNear<Rest, OtherRest>
      : IsEqualAfter<One, Rest, Other, OtherRest> extends true
        ? true
        : IsExchanged<Rest, OtherFirst, OtherRest, First>
    : Rest extends ''
      ? true
      : false
  : Other extends `${string}${infer OtherRest}`
    ? OtherRest extends ''
      ? true
      : false
    : true

/** True if the texts are equal without the first character of one of them, or of both. */
type IsEqualAfter<One, Rest, Other, OtherRest> = One extends OtherRest
  ? true
  : Rest extends Other | OtherRest
    ? true
    : false

/** True if the rests begin with the first character of the other text, and are equal after it. */
type IsExchanged<
  Rest,
  OtherFirst extends string,
  OtherRest,
  First extends string,
> = Rest extends `${OtherFirst}${infer End}` ? (OtherRest extends `${First}${End}` ? true : false) : false
