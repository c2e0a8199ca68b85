// The parameter `populate=deep[,depth]` of the v4 plugin populate-deep: it stands for a populate that follows the model. What
// callers may not read is left out where all populates are planned. Knows no query strings and no rows.

import { type Attribute, type ContentType, type Params, ValidationError, withMaxCost } from '@plinth/kernel'

/** The nodes that one request may populate by `deep`. */
const maxNodes = 1000

type Types = { require(uid: string): ContentType }

/** A value of `populate` as the kernel reads it: an attribute alone, or with what is below it. */
type Below = true | { readonly populate: Readonly<Record<string, Below>> }

/**
 * Replaces `populate=deep` by the populate that it stands for, and returns other parameters as they are. `most`: the greatest
 * depth, and the one of a request without a number; null if the application does not have it. Throws ValidationError for a
 * depth that is not a whole number or too great, and for more than 1,000 nodes.
 */
export function deepPopulates(types: Types, most: number | null): (params: Params, uid: string) => Params {
  return (params, uid) => {
    const sent = sentDepth(params.populate)
    if (sent === null || hasOwnDeep(types.require(uid))) return params
    if (most === null)
      throw refusal(
        'populate=deep is not enabled; the setting deep of the plugin rest enables it: rest: { config: { deep: 5 } }',
      )
    const depth = depthOf(sent, most)
    const expanded = new Expansion(types, depth).of(types.require(uid))
    return withMaxCost({ ...params, populate: expanded === true ? undefined : expanded.populate }, maxNodes)
  }
}

/** Returns the text after `deep`, empty without a depth; null if the parameter is another one. */
function sentDepth(populate: unknown): string | null {
  const [word, depth] = typeof populate === 'string' ? populate.split(',') : Array.isArray(populate) ? populate : []
  if (typeof word !== 'string') return null
  const [first, second] = word.split(',')
  if (first!.trim() !== 'deep') return null
  return String(second ?? depth ?? '').trim()
}

/** Returns whether `deep` is the name of something that can be populated. */
function hasOwnDeep({ attributes }: ContentType): boolean {
  const own = attributes.get('deep')
  return own !== undefined && own.kind !== 'scalar'
}

function depthOf(sent: string, most: number): number {
  if (sent === '') return most
  if (!/^\d{1,9}$/.test(sent)) throw refusal(`populate=deep,${sent}: the depth must be a whole number`)
  if (Number(sent) <= most) return Number(sent)
  throw refusal(`populate=deep,${sent} is too deep: the setting deep of the plugin rest allows ${most}`)
}

function refusal(message: string, details: object = {}): ValidationError {
  return new ValidationError(`Invalid parameter populate: ${message}`, { path: 'populate', ...details })
}

/** One expansion. The depth counts the levels of entries: 1 is the entries themselves, 2 what they populate. */
class Expansion {
  readonly #types: Types
  readonly #depth: number
  #nodes = 0

  constructor(types: Types, depth: number) {
    this.#types = types
    this.#depth = depth
  }

  of(type: ContentType): Below {
    return this.#below(type, this.#depth, new Set())
  }

  /**
   * Returns what is populated of a type. `passed` are the names of the tables of all types that relations have led to, in the order
   * of the model: an attribute with such a name is left out, which mostly leads back. Components begin anew.
   */
  #below(type: ContentType, depth: number, passed: Set<string> | null): Below {
    if (depth <= 1) return true
    passed?.add(type.table)
    const populate: Record<string, Below> = Object.create(null)
    for (const [name, attribute] of type.attributes) {
      if (attribute.kind === 'scalar' || passed?.has(name) === true || isLeftOut(type, attribute)) continue
      this.#count()
      populate[name] = this.#ofAttribute(attribute, depth - 1, passed)
    }
    return Object.keys(populate).length === 0 ? true : { populate }
  }

  #ofAttribute(attribute: Attribute, depth: number, passed: Set<string> | null): Below {
    if (attribute.kind === 'component') return this.#below(this.#types.require(attribute.component), depth, null)
    if (attribute.kind === 'zone') return this.#ofZone(attribute.components, depth)
    // Files, translations and entries of any type are populated plainly.
    const isPlain = attribute.type === 'media' || attribute.name === 'localizations'
    if (attribute.kind !== 'relation' || attribute.target === null || isPlain) return true
    return this.#below(this.#types.require(attribute.target), depth, passed)
  }

  /** Returns what is below the components of a zone together: each of them takes of it what it has. */
  #ofZone(components: readonly string[], depth: number): Below {
    return components.reduce<Below>((all, uid) => merged(all, this.#below(this.#types.require(uid), depth, null)), true)
  }

  #count(): void {
    if (++this.#nodes <= maxNodes) return
    throw refusal(
      `populate=deep,${this.#depth} has more than ${maxNodes} nodes; send a smaller depth, or name what is to be populated`,
      { nodes: this.#nodes, maxNodes },
    )
  }
}

/** Both together: the later one counts where one of them has nothing below an attribute. */
function merged(one: Below, other: Below): Below {
  if (one === true || other === true) return one === true ? other : one
  const populate: Record<string, Below> = Object.assign(Object.create(null), one.populate)
  for (const [name, below] of Object.entries(other.populate)) {
    const earlier = populate[name]
    populate[name] = earlier === undefined || earlier === true || below === true ? below : merged(earlier, below)
  }
  return { populate }
}

/** Returns whether an attribute is left out: one that says who wrote an entry, or where a file is used. */
function isLeftOut({ uid }: ContentType, { name }: Attribute): boolean {
  return name === 'createdBy' || name === 'updatedBy' || (uid === 'plugin::upload.file' && name === 'related')
}
