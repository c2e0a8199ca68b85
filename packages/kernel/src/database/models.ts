// Objection models generated from the registry, for plugin authors and write graphs. Hot reads and the write path use
// prepared statements instead: measured, Objection's graph fetch costs four times the whole read.

import { createRequire } from 'node:module'
import type { Knex } from 'knex'
import type { Model, ModelClass, RelationMappings } from 'objection'
import type { ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Database } from './database.ts'

const require = createRequire(import.meta.url)
/** Loaded when the first models are asked for: most applications never do, and it is 200 files at every start. */
const loadModel = (): typeof Model => (require('objection') as typeof import('objection')).Model

/** The models of one kernel, by uid. */
export interface Models {
  /** Throws for unknown uids. */
  get(uid: string): ModelClass<Model>
}

/**
 * Generates the models; relations between types become relation mappings under their attributes' names. Inside a transaction
 * they are on its connection: elsewhere they would wait for themselves where there is one writer, and not see it on servers.
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
  const columns = new Map<string, string>()
  for (const one of type.attributes.values()) if (one.kind === 'scalar') columns.set(one.column, one.name)
  const attributes = new Map([...columns].map(([column, name]) => [name, column]))
  const rename = (json: Record<string, unknown>, names: ReadonlyMap<string, string>) =>
    Object.fromEntries(Object.entries(json).map(([key, value]) => [names.get(key) ?? key, value]))
  const Base = loadModel()
  return class extends Base {
    static override get tableName(): string {
      return type.table
    }

    /** What it was bound to, or where its caller is. Asked for when a query runs. */
    static override knex(...given: Knex[]): Knex {
      // biome-ignore lint/complexity/noThisInStatic: a class that was bound asks for what it was bound to itself.
      const own = Reflect.apply(Base.knex, this, given) as Knex | undefined
      return own ?? database.current?.knex ?? database.knex
    }

    static override get relationMappings(): RelationMappings {
      return relationsOf(type, get, registry)
    }

    /** Objection's own validation is off: write/input.ts is the one place that judges entries. */
    static override createValidator(): never {
      return {
        beforeValidate: () => {},
        validate: (args: { json: unknown }) => args.json,
        afterValidate: () => {},
      } as never
    }

    override $parseDatabaseJson(json: Record<string, unknown>): Record<string, unknown> {
      return rename(super.$parseDatabaseJson(json), columns)
    }

    override $formatDatabaseJson(json: Record<string, unknown>): Record<string, unknown> {
      return super.$formatDatabaseJson(rename(json, attributes))
    }
  } as unknown as ModelClass<Model>
}

function relationsOf(type: ContentType, get: Models['get'], registry: Registry): RelationMappings {
  const { ManyToManyRelation, HasOneThroughRelation, BelongsToOneRelation, HasManyRelation, HasOneRelation } =
    loadModel()
  const mappings: RelationMappings = {}
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' || attribute.target === null) continue
    const target = registry.require(attribute.target)
    const { join } = attribute
    const base = { modelClass: () => get(target.uid) }
    const [from, to] = [`${type.table}.id`, `${target.table}.id`]
    if (join.via === 'links') {
      const through = { from: `${join.table}.${join.from}`, to: `${join.table}.${join.to}` }
      const relation = attribute.many ? ManyToManyRelation : HasOneThroughRelation
      mappings[attribute.name] = { ...base, relation, join: { from, through, to } }
    } else if (join.via === 'column') {
      mappings[attribute.name] = {
        ...base,
        relation: BelongsToOneRelation,
        join: { from: `${type.table}.${join.column}`, to },
      }
    } else if (join.via === 'inverseColumn') {
      const relation = attribute.many ? HasManyRelation : HasOneRelation
      mappings[attribute.name] = { ...base, relation, join: { from, to: `${target.table}.${join.column}` } }
    }
  }
  return mappings
}
