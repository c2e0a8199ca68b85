/**
 * Runs programs concurrently on one database and looks for what they broke: invariants of the whole database after each
 * batch, and acknowledged writes of each program. It knows the two processes and the database, and no test.
 */

import type { ContentType } from '@plinth/kernel'
import type { TestDatabase } from '@plinth/test-tools/databases'
import type { FastifyInstance } from 'fastify'
import { type Event, type Rows, type Run, WriteCheck } from './acknowledged.ts'
import { type Links, relationOf } from './acknowledged-links.ts'
import { Invariants, type Violation } from './invariants.ts'
import { openServer } from './perform.ts'
import { inProcess, type Process, startChild } from './processes.ts'
import { isTracked } from './program-values.ts'
import { type Actor, type Data, flatten, type InitialEntry, type Program, resolve } from './programs.ts'
import type { Application } from './workshop.ts'
import { WrittenTypes } from './written-types.ts'

type Opened = Awaited<ReturnType<TestDatabase['open']>>

/**
 * What is wrong with one program, or, if `run` is null, with a batch: then one or several of its programs caused it.
 */
export interface Failure {
  readonly run: Run | null
  readonly faults: readonly string[]
}

/** Programs that run at the same time. */
const atOnce = 10

/** The number of responses by status. */
export type Statuses = Map<number, number>

export class Workplace {
  readonly written: WrittenTypes
  readonly statuses: Statuses = new Map()
  readonly #app: FastifyInstance
  readonly #processes: readonly Process[]
  readonly #database: Opened
  readonly #invariants: Invariants
  readonly #quote: (name: string) => string
  #batches = 0

  private constructor(app: FastifyInstance, processes: readonly Process[], database: Opened, test: TestDatabase) {
    this.#app = app
    this.#processes = processes
    this.#database = database
    const types = [...app.kernel.contentTypes.values()].filter(one => one.uid !== 'plugin::i18n.locale')
    this.written = new WrittenTypes(types)
    this.#invariants = new Invariants(types, test.client)
    this.#quote = name => (test.client === 'mysql' ? `\`${name}\`` : `"${name}"`)
  }

  /** Opens both processes on an empty database. */
  static async open(application: Application, test: TestDatabase): Promise<Workplace> {
    const app = await openServer(application, test.config)
    const child = await startChild(application, test.config)
    return new Workplace(app, [inProcess(app), child], await test.open(), test)
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map(one => one.close()))
    await this.#database.close()
  }

  /**
   * Runs programs concurrently and returns what they broke. Each has its own entries, but programs may not share single
   * types.
   */
  async run(programs: readonly Program[]): Promise<Failure[]> {
    await this.#clearSingles(programs.flatMap(one => one.singles))
    const runs: Run[] = []
    const left = [...programs]
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        runs.push(await this.#perform(next, await this.#build(next)))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const failures = [...(await this.#checkWrites(runs)), ...(await this.#check(runs))]
    if (failures.length > 0 || ++this.#batches % 8 === 0) await this.empty()
    return failures
  }

  /** Creates the initial entries. On a busy machine this waits longer than a write does. */
  async #build(program: Program, attempts = 5): Promise<Record<string, number>> {
    let ids: Record<string, number> = {}
    if (program.initial.length === 0) return ids
    try {
      await this.#app.kernel.transaction(async () => {
        ids = {}
        for (const one of program.initial) ids[one.name] = await this.#make(one, ids)
      })
    } catch (error) {
      if ((error as { status?: number }).status !== 503 || attempts === 1) throw error
      return this.#build(program, attempts - 1)
    }
    return ids
  }

  async #make({ type, data }: InitialEntry, ids: Record<string, number>): Promise<number> {
    const entry = await this.#app.kernel.query(type).create({ data: resolve(data, ids) })
    return entry.id
  }

  async #perform(program: Program, ids: Record<string, number>): Promise<Run> {
    const events: Event[] = []
    const act = async ({ process, steps }: Actor) => {
      for (const step of steps) {
        const began = performance.now()
        const outcome = await this.#processes[process]!.perform(step, ids)
        events.push({ step, outcome, began, ended: performance.now() })
        this.statuses.set(outcome.status, (this.statuses.get(outcome.status) ?? 0) + 1)
        Object.assign(ids, outcome.made)
      }
    }
    await Promise.all(program.actors.map(act))
    return { program, ids, events }
  }

  async #checkWrites(runs: readonly Run[]): Promise<Failure[]> {
    const remains = { rows: await this.#read(runs), links: await this.#readLinks(runs) }
    const checked = runs.map(run => ({ run, faults: new WriteCheck(this.written.types, run, remains).run() }))
    return checked.filter(one => one.faults.length > 0)
  }

  /** The rows of all entries that programs know. */
  async #read(runs: readonly Run[]): Promise<Rows> {
    const wanted = new Map<string, Set<number>>()
    for (const { program, ids } of runs) {
      for (const [name, type] of typesOf(program)) {
        if (ids[name] === undefined) continue
        if (!wanted.has(type)) wanted.set(type, new Set())
        wanted.get(type)!.add(ids[name])
      }
    }
    const rows = new Map<string, Map<number, Record<string, unknown>>>()
    for (const [uid, ids] of wanted) {
      const found = await this.#database.all(this.#readText(this.written.types.get(uid)!, [...ids]))
      rows.set(uid, new Map(found.map(row => [Number(row.id), row])))
    }
    return rows
  }

  /** The links of all relations that programs write. */
  async #readLinks(runs: readonly Run[]): Promise<Links> {
    const { types } = this.written
    const keys = new Set<string>()
    for (const { program } of runs) {
      for (const { type, data } of [...program.initial, ...writesOf(program)]) {
        for (const name of Object.keys(data)) {
          const relation = relationOf(types, types.get(type)!, name)
          if (relation !== null) keys.add(relation.key)
        }
      }
    }
    const links = new Map<string, Set<string>>()
    for (const key of keys) {
      const [uid, name] = key.split(' ') as [string, string]
      const { storage: join } = types.get(uid)!.attributes.get(name) as {
        storage: { table: string; from: string; to: string }
      }
      const q = this.#quote
      const rows = await this.#database.all(`SELECT ${q(join.from)} AS a, ${q(join.to)} AS b FROM ${q(join.table)}`)
      links.set(key, new Set(rows.map(({ a, b }) => `${a} ${b}`)))
    }
    return links
  }

  #readText(type: ContentType, ids: readonly number[]): string {
    const q = this.#quote
    const columns = [...type.attributes.values()].flatMap(one =>
      isTracked(one) ? [`${q(one.column)} AS ${q(one.name)}`] : [],
    )
    return `SELECT ${['id', ...columns].join(', ')} FROM ${q(type.table)} WHERE id IN (${ids.join(', ')})`
  }

  /**
   * A violation belongs to the program that knows one of its rows; a component without a parent belongs to no program.
   */
  async #check(runs: readonly Run[]): Promise<Failure[]> {
    const violations = await this.#invariants.check(this.#database)
    const failures = new Map<Run | null, string[]>()
    for (const violation of violations) {
      const run = runs.find(one => this.#isAbout(violation, one)) ?? (runs.length === 1 ? runs[0]! : null)
      failures.set(run, [...(failures.get(run) ?? []), say(violation)])
    }
    return [...failures].map(([run, faults]) => ({ run, faults }))
  }

  #isAbout({ place, ids }: Violation, { program, ids: known }: Run): boolean {
    const table = place.split(' ')[0]
    for (const [name, type] of typesOf(program)) {
      const id = known[name]
      if (id !== undefined && this.written.types.get(type)!.table === table && ids.includes(id)) return true
    }
    return program.singles.some(uid => this.written.types.get(uid)!.table === table)
  }

  async #clearSingles(uids: readonly string[]): Promise<void> {
    const { kernel } = this.#app
    for (const uid of uids) {
      const everywhere = this.written.types.get(uid)!.attributes.has('locale')
        ? { locale: 'all', publicationState: 'preview' }
        : {}
      for (const { id } of await kernel.query(uid).findMany({ ...everywhere, fields: ['id'] }))
        await kernel.query(uid).delete(id)
    }
  }

  /** Deletes all rows, so that a violation is not found again and statements stay fast. */
  async empty(): Promise<void> {
    const types = [...this.written.types.values()]
    const links = types.flatMap(type => [
      ...(type.hasComponents ? [`${type.table}_components`] : []),
      ...[...type.attributes.values()].flatMap(one =>
        one.kind === 'relation' && one.owner && 'table' in one.storage ? [one.storage.table] : [],
      ),
    ])
    const deletes = [...links, ...types.map(one => one.table)].map(table => `DELETE FROM ${this.#quote(table)}`)
    await this.#database.run(['BEGIN', ...deletes, 'COMMIT'].join('; '))
  }
}

function writesOf({ actors }: Program): { type: string; data: Data }[] {
  return flatten(actors.flatMap(one => one.steps)).flatMap(one => ('data' in one ? [one] : []))
}

/** The names of all entries of a program, with their types. */
function typesOf({ initial, actors }: Program): [name: string, type: string][] {
  const made = flatten(actors.flatMap(one => one.steps))
  return [
    ...initial.map(one => [one.name, one.type]),
    ...made.flatMap(one => ('as' in one ? [[one.as, one.type]] : [])),
  ] as [string, string][]
}

const say = ({ invariant, place, ids }: Violation) =>
  `broken: ${invariant}: ${place}${ids.length > 0 ? `, ids ${ids.join(' and ')}` : ''}`
