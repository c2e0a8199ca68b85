// Declares the types of schemas that are written in code: one entry per attribute type with its options (B-10.10 to
// B-10.26). Files are checked when they are read; these types make misspelt options fail to compile.

import type { KeysOf } from '../typed/unions.ts'
import type { TypeOptions } from './content-type.ts'
import type { ContentTypeSchema } from './schema.ts'

type PluginOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Options of every attribute; plugins add their own by declaration merging. */
export interface CommonOptions {
  readonly required?: boolean
  readonly private?: boolean
  readonly configurable?: boolean
  readonly writable?: boolean
  readonly visible?: boolean
  readonly searchable?: boolean
  readonly pluginOptions?: PluginOptions
  readonly renamedFrom?: string | readonly string[]
  /** The meaning of the values, for those who read documents of the API and generated types. */
  readonly description?: string
}

/** Options of attributes with a column. */
export interface ScalarOptions<Value> extends CommonOptions {
  /** A string selects a looser rule of a plugin. */
  readonly unique?: boolean | string
  readonly indexed?: boolean
  readonly default?: Value | null
  readonly column?: Readonly<Record<string, unknown>>
  readonly columnName?: string
}

interface TextOptions extends ScalarOptions<string> {
  readonly minLength?: number
  readonly maxLength?: number
  readonly regex?: string
}

interface Bounds<Bound = number> {
  readonly min?: Bound
  readonly max?: Bound
}

interface NumberOptions extends ScalarOptions<number>, Bounds {}

interface PlainRelation extends CommonOptions {
  readonly relation: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'
  readonly target: string
  readonly inversedBy?: string
  readonly mappedBy?: string
  readonly useJoinTable?: boolean
}

interface MorphRelation extends CommonOptions {
  readonly relation: 'morphToOne' | 'morphToMany'
}

interface InverseMorphRelation extends CommonOptions {
  readonly relation: 'morphOne' | 'morphMany'
  readonly target: string
  readonly morphBy: string
}

/** Options by attribute type; plugins add their types by declaration merging. */
export interface AttributeInputs {
  string: TextOptions
  text: TextOptions
  richtext: TextOptions
  email: TextOptions
  password: TextOptions & { readonly encryption?: { readonly rounds?: number } }
  uid: TextOptions & { readonly targetField?: string; readonly options?: Readonly<Record<string, unknown>> }
  enumeration: ScalarOptions<string> & { readonly enum: readonly string[]; readonly enumName?: string }
  integer: NumberOptions
  biginteger: ScalarOptions<number | string> & Bounds<number | string>
  float: NumberOptions
  decimal: NumberOptions
  boolean: ScalarOptions<boolean>
  date: ScalarOptions<string>
  time: ScalarOptions<string>
  datetime: ScalarOptions<string>
  timestamp: ScalarOptions<string>
  json: ScalarOptions<unknown>
  blocks: ScalarOptions<readonly unknown[]>
  relation: PlainRelation | MorphRelation | InverseMorphRelation
  media: CommonOptions & {
    readonly multiple?: boolean
    readonly allowedTypes?: readonly ('images' | 'files' | 'videos' | 'audios')[]
  }
  component: CommonOptions & Bounds & { readonly component: string; readonly repeatable?: boolean }
  dynamiczone: CommonOptions & Bounds & { readonly components: readonly string[] }
  /** Has the options of its base type. */
  customField: Pick<TextOptions, 'minLength' | 'maxLength' | 'regex'> &
    ScalarOptions<unknown> &
    Bounds<number | string> & {
      readonly customField: string
      readonly options?: Readonly<Record<string, unknown>>
      readonly enum?: readonly string[]
      readonly enumName?: string
      readonly targetField?: string
    }
}

/** An attribute that is written in code. */
export type AttributeInput = {
  [Word in keyof AttributeInputs]: { readonly type: Word } & AttributeInputs[Word]
}[keyof AttributeInputs]

interface SharedInput {
  readonly options?: TypeOptions
  readonly pluginOptions?: PluginOptions
  readonly attributes: Readonly<Record<string, AttributeInput>>
  readonly globalId?: string
  readonly renamedFrom?: string | readonly string[]
}

/** A content type that is written in code. */
export interface ContentTypeInput extends SharedInput, Pick<ContentTypeSchema, 'kind' | 'collectionName' | 'info'> {
  /** Defaults to `api::<singularName>.<singularName>`. */
  readonly uid?: string
}

/** A component that is written in code. */
export interface ComponentInput extends SharedInput {
  readonly collectionName: string
  readonly info?: Readonly<Record<string, unknown>>
}

type StrictAttribute<Given> = Given extends { readonly type: infer Word extends keyof AttributeInputs }
  ? { readonly [Option in keyof Given]: Option extends 'type' | KeysOf<AttributeInputs[Word]> ? Given[Option] : never }
  : never

/**
 * The given schema with the type `never` for unknown keys, because the compiler accepts excess keys of generic
 * parameters.
 */
export type Strict<Given extends SharedInput, Known> = {
  readonly [Key in keyof Given]: Key extends 'attributes'
    ? { readonly [Name in keyof Given['attributes']]: StrictAttribute<Given['attributes'][Name]> }
    : Key extends keyof Known
      ? Given[Key]
      : never
}
