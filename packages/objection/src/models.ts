// Generates Objection models from the registry. The kernel's own reads and writes use prepared statements instead: by
// measurement, Objection's graph fetch takes four times as long as the whole read.

import { createRequire } from 'node:module'
import { type ContentType, type Kernel, type Registry, UsageError } from '@plinth/kernel'
import { type OpenDatabase, typeParserOf } from '@plinth/kernel/tables'
import type { Model, ModelClass, QueryBuilder, RelationMappings } from 'objection'
import { queriesOf } from './model-query.ts'
import { ModelRows } from './model-rows.ts'

type Knex = Kernel['knex']

const require = createRequire(import.meta.url)
/** Loads Objection at the first use of a model: it has 200 files, which a start would load for nothing. */
const loadModel = (): typeof Model => loadObjection().Model

/** Loads the package. Throws UsageError if it is not installed. */
function loadObjection(): typeof import('objection') {
  try {
    return require('objection')
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code !== 'MODULE_NOT_FOUND' || !String(message).includes("'objection'")) throw error
    throw new UsageError('PLINTH_OBJECTION', 'Models need the package objection: npm install objection', {
      cause: error,
    })
  }
}

/** The models of one kernel, by uid. */
export interface Models {
  /** Throws UsageError for unknown uids. */
  get(uid: string): ModelClass<Model>
}

/**
 * Generates the models. Their objects are like entries: attributes by name, decoded values, `createdAt` and `updatedAt`
 * set. Queries accept attribute names in place of columns. Relations between types become relation mappings under their
 * attributes' names; components, zones and polymorphic relations are not mapped. SQLite's integers beyond 2^53 are
 * rounded, as knex reads them. Inside a transaction, models use its connection: on another one they would wait for the
 * transaction if there is only one writer, and would not see its changes on servers.
 */
export function createModels(registry: Registry, database: OpenDatabase): Models {
  const classes = new Map<string, ModelClass<Model>>()
  const get = (uid: string): ModelClass<Model> => {
    const cached = classes.get(uid)
    if (cached !== undefined) return cached
    const model = createModel(registry.require(uid), { registry, database, get })
    classes.set(uid, model)
    return model
  }
  return { get }
}

/** The models of the other types, and the objects that the class of one type needs. */
interface ModelTools extends Models {
  readonly registry: Registry
  readonly database: OpenDatabase
}

function createModel(type: ContentType, tools: ModelTools): ModelClass<Model> {
  const { database } = tools
  const rows = new ModelRows(database.dialect, type)
  const Base = loadModel()
  const Queries = queriesOf(Base.QueryBuilder, rows)
  const options = optionsFor(database.knex)
  return class extends Base {
    static override get tableName(): string {
      return type.table
    }

    /** Returns the knex that the class is bound to, or that of the current transaction, when a query runs. */
    static override knex(...bound: Knex[]): Knex {
      // biome-ignore lint/complexity/noThisInStatic: a bound class returns its own knex.
      const own = Reflect.apply(Base.knex, this, bound) as Knex | undefined
      return own ?? database.current?.knex ?? database.knex
    }

    static override get QueryBuilder(): typeof QueryBuilder {
      return Queries
    }

    static override query(...args: never[]): never {
      // biome-ignore lint/complexity/noThisInStatic: as above.
      const query = Reflect.apply(Base.query, this, args)
      return (options === null ? query : query.options(options as never)) as never
    }

    static override get relationMappings(): RelationMappings {
      return relationsOf(type, tools)
    }

    /** Disables Objection's own validation: only the kernel's writes validate entries. */
    static override createValidator(): never {
      return {
        beforeValidate: () => {},
        validate: (args: { json: unknown }) => args.json,
        afterValidate: () => {},
      } as never
    }

    override $parseDatabaseJson(json: Record<string, unknown>): Record<string, unknown> {
      return rows.decode(super.$parseDatabaseJson(json))
    }

    override $formatDatabaseJson(json: Record<string, unknown>): Record<string, unknown> {
      return super.$formatDatabaseJson(rows.encode(json))
    }

    override $beforeInsert(): void {
      const now = new Date().toISOString()
      for (const name of ['createdAt', 'updatedAt']) if (rows.has(name)) Object.assign(this, { [name]: now })
    }

    override $beforeUpdate(): void {
      if (rows.has('updatedAt')) Object.assign(this, { updatedAt: new Date().toISOString() })
    }
  } as unknown as ModelClass<Model>
}

/**
 * The types that the driver would parse wrongly: UTC values as dates in the server's time zone, and JSON, which is read
 * as text.
 */
const asText = new Set([1082, 1083, 1114, 114, 3802])

/** Returns options for queries on drivers that would parse values in their own way; null for others. */
function optionsFor(knex: Knex): object | null {
  const parserOf = typeParserOf(knex)
  if (parserOf === null) return null
  const getTypeParser = (oid: number, format?: string) =>
    asText.has(oid) ? (raw: string) => raw : parserOf(oid, format)
  return { types: { getTypeParser } }
}

/** Returns the mappings of the relations that lead to one type and are stored in links or in a column. */
function relationsOf(type: ContentType, { registry, get }: ModelTools): RelationMappings {
  const { ManyToManyRelation, HasOneThroughRelation, BelongsToOneRelation, HasManyRelation, HasOneRelation } =
    loadModel()
  const mappings: RelationMappings = {}
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' || attribute.target === null) continue
    const target = registry.require(attribute.target)
    const { storage } = attribute
    const base = { modelClass: () => get(target.uid) }
    const [from, to] = [`${type.table}.id`, `${target.table}.id`]
    if (storage.kind === 'links') {
      const through = { from: `${storage.table}.${storage.from}`, to: `${storage.table}.${storage.to}` }
      const relation = attribute.many ? ManyToManyRelation : HasOneThroughRelation
      mappings[attribute.name] = { ...base, relation, join: { from, through, to } }
    } else if (storage.kind === 'column') {
      mappings[attribute.name] = {
        ...base,
        relation: BelongsToOneRelation,
        join: { from: `${type.table}.${storage.column}`, to },
      }
    } else if (storage.kind === 'inverseColumn') {
      const relation = attribute.many ? HasManyRelation : HasOneRelation
      mappings[attribute.name] = { ...base, relation, join: { from, to: `${target.table}.${storage.column}` } }
    }
  }
  return mappings
}
