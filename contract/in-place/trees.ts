/**
 * An entry as it is stored: its row, the ids of its links, and its components, recursively. It is read by SQL without
 * Plinth, so that rows that Plinth wrote can be compared with rows that v4 wrote.
 */

import type { ContentType, Kernel, RelationAttribute } from '@plinth/kernel'
import type { OpenConnection } from '@plinth/test-tools/connections'

export interface Tree {
  /** The values of the columns except ids, times and creators. */
  readonly row: Readonly<Record<string, unknown>>
  /** The linked ids in their order, with their places. Linked translations are separate entries and not followed. */
  readonly links: Readonly<Record<string, { readonly ids: readonly number[]; readonly places: readonly number[] }>>
  readonly parts: Readonly<Record<string, readonly Part[]>>
}

interface Part {
  readonly type: string
  /** The place of a component in its list. Null for a single component, which v4 numbers only sometimes. */
  readonly place: number | null
  readonly tree: Tree
}

/** Columns that differ in every row and are not content. */
const own = ['id', 'created_at', 'updated_at', 'created_by_id', 'updated_by_id']

export class TreeReader {
  readonly #kernel: Kernel
  readonly #opened: OpenConnection

  constructor(kernel: Kernel, opened: OpenConnection) {
    this.#kernel = kernel
    this.#opened = opened
  }

  /** The tree of an entry, without the columns of unique attributes. */
  async read(type: ContentType, id: number): Promise<Tree> {
    const [found] = await this.#all(`SELECT * FROM ${this.#quote(type.table)} WHERE id = ${id}`)
    if (found === undefined) throw new Error(`${type.uid} has no row ${id}`)
    const row = { ...found } as Record<string, unknown>
    const links: Record<string, Tree['links'][string]> = {}
    const parts: Record<string, Part[]> = {}
    for (const name of own) delete row[name]
    for (const attribute of type.attributes.values()) {
      if (attribute.kind === 'scalar' && (attribute.unique || attribute.scalar.secret)) delete row[attribute.column]
      if (attribute.kind === 'relation' && attribute.owner && attribute.name !== 'localizations')
        links[attribute.name] = await this.#links(attribute, id)
      if (attribute.kind === 'component' || attribute.kind === 'zone') {
        const many = attribute.kind === 'zone' || attribute.many
        parts[attribute.name] = await this.#parts(type, id, attribute.name, many)
      }
    }
    return { row, links, parts }
  }

  async #links({ storage: join }: RelationAttribute, id: number) {
    if (join.kind !== 'links') throw new Error(`a relation by ${join.kind} has no link table`)
    const order = this.#quote(join.order ?? 'id')
    const rows = await this.#all(
      `SELECT ${join.to} AS target, ${order} AS place FROM ${join.table} WHERE ${join.from} = ${id} ORDER BY ${order}, id`,
    )
    const places = join.order === null ? [] : rows.map(({ place }) => Number(place))
    return { ids: rows.map(({ target }) => Number(target)), places }
  }

  async #parts(type: ContentType, id: number, field: string, many: boolean): Promise<Part[]> {
    const rows = await this.#all(
      `SELECT component_type, component_id, ${this.#quote('order')} AS place FROM ${type.table}_components WHERE entity_id = ${id} AND field = '${field}' ORDER BY ${this.#quote('order')}`,
    )
    const parts: Part[] = []
    for (const row of rows) {
      const component = this.#kernel.contentTypes.require(String(row.component_type))
      const tree = await this.read(component, Number(row.component_id))
      parts.push({ type: component.uid, place: many ? Number(row.place) : null, tree })
    }
    return parts
  }

  #all(sql: string) {
    return this.#opened.all(sql)
  }

  #quote(name: string): string {
    return this.#kernel.database.dialect.quote(name)
  }
}
