// Generates Objection models from the registry, for plugin authors and write graphs. Frequent reads and the write path
// use prepared statements instead: by measurement, Objection's graph fetch takes four times as long as the whole read.

import { createRequire } from 'node:module'
import type { Knex } from 'knex'
import type { Model, ModelClass, QueryBuilder, RelationMappings } from 'objection'
import { UsageError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Database } from '../database/database.ts'
import { typeParserOf } from '../database/knex-internals.ts'
import { queriesOf } from './model-query.ts'
import { ModelRows } from './model-rows.ts'

const require = createRequire(import.meta.url)
/** Loaded at the first use of a model: most applications never use one, and it would load 200 files at every start. */
const loadModel = (): typeof Model => loadObjection().Model

/** Throws UsageError if the package is not installed. */
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
export function createModels(registry: Registry, database: Database): Models {
  const classes = new Map<string, ModelClass<Model>>()
  const get = (uid: string): ModelClass<Model> => {
    const known = classes.get(uid)
    if (known !== undefined) return known
    const made = createModel(registry.require(uid), get, registry, database)
    classes.set(uid, made)
    return made
  }
  return { get }
}

function createModel(type: ContentType, get: Models['get'], registry: Registry, database: Database): ModelClass<Model> {
  const rows = new ModelRows(database.dialect, type)
  const Base = loadModel()
  const Queries = queriesOf(Base.QueryBuilder, rows)
  const options = optionsFor(database.knex)
  return class extends Base {
    static override get tableName(): string {
      return type.table
    }

    /** The knex that the class is bound to, or that of the current transaction. Determined when a query runs. */
    static override knex(...given: Knex[]): Knex {
      // biome-ignore lint/complexity/noThisInStatic: a bound class returns its own knex.
      const own = Reflect.apply(Base.knex, this, given) as Knex | undefined
      return own ?? database.current?.knex ?? database.knex
    }

    static override get QueryBuilder(): typeof QueryBuilder {
      return Queries
    }

    static override query(...given: never[]): never {
      // biome-ignore lint/complexity/noThisInStatic: as above.
      const query = Reflect.apply(Base.query, this, given)
      return (options === null ? query : query.options(options as never)) as never
    }

    static override get relationMappings(): RelationMappings {
      return relationsOf(type, get, registry)
    }

    /** Disables Objection's own validation: only write/input.ts validates entries. */
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
 * Types that node-postgres would parse wrongly: UTC values as dates in the server's time zone, and JSON, which is read
 * as text.
 */
const asText = new Set([1082, 1083, 1114, 114, 3802])

/** Options of queries on drivers that would parse values in their own way; null on others. */
function optionsFor(knex: Knex): object | null {
  const known = typeParserOf(knex)
  if (known === null) return null
  const getTypeParser = (oid: number, format?: string) => (asText.has(oid) ? (raw: string) => raw : known(oid, format))
  return { types: { getTypeParser } }
}

function relationsOf(type: ContentType, get: Models['get'], registry: Registry): RelationMappings {
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
