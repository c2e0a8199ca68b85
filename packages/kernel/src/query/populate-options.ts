// The options of kernel.query for what is populated, at every depth. An attribute under another key is an instance of
// the class `Under`, which only code can make: the parameters of clients have no form of it in a query string or in
// JSON.

/** Parameters of plugins, at the root and below `populate`. Plugins declare theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins merge their parameters into it.
export interface ParameterOptions {}

/** Options for a set of entries. */
export interface SelectionOptions extends ParameterOptions {
  /** Names of attributes; all of them if omitted. */
  readonly fields?: string | readonly string[] | null
  readonly filters?: object
  /** `title`, `title:desc`, or a list of such keys. */
  readonly sort?: string | object | null
  readonly populate?: PopulateOption
}

/** Names of attributes (`*` for all), options by name, or attributes by other keys (`under`). */
export type PopulateOption =
  | string
  | boolean
  | readonly unknown[]
  | { readonly [name: string]: string | number | boolean | PopulateOptions | Under | null | undefined }
  | null

/** Options for the entries below one attribute. */
export interface PopulateOptions extends SelectionOptions {
  /** Options by the uid of the types in a dynamic zone or a polymorphic relation. */
  readonly on?: Readonly<Record<string, boolean | SelectionOptions>>
  /** The number of linked entries instead of the entries. */
  readonly count?: unknown
  /** Offset in the list of entries of each parent. */
  readonly start?: number | string
  /** Maximum number of entries of each parent. */
  readonly limit?: number | string
  /** `desc` reverses the stored order. */
  readonly ordering?: string
}

/** An attribute that is populated under a key of the caller's choice; made by `under`. */
export class Under<Name extends string = string, Options = unknown> {
  /** The attribute. */
  readonly name: Name
  readonly options: Options & PopulateOptions

  constructor(name: Name, options: Options & PopulateOptions) {
    this.name = name
    this.options = options
  }
}

/**
 * Populates the attribute `name` under the key at which it stands: `{ first: under('tags', { limit: 1 }), all:
 * under('tags') }` gives two branches of `tags`, `first` and `all`, each with its own options. Keys consist of letters,
 * digits and `_`, do not begin with a digit, and occur once in a populate. In entries as objects, what is populated
 * hides an attribute that has its key for a name, also `id`.
 */
export function under<const Name extends string, const Options extends PopulateOptions = Record<never, never>>(
  name: Name,
  options: Options = {} as Options,
): Under<Name, Options> {
  return new Under(name, options)
}
