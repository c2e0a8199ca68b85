/**
 * Checks that the responses of a program agree with the database: refusals that its writes can cause, one success among
 * deletions of one entry, a row for each created entry and none for a deleted one, and for each attribute the value of
 * an acknowledged write that no later one replaced. It compares outcomes with rows and sends nothing.
 */

import type { ContentType } from '@plinth/kernel'
import { type Links, missingLinks } from './acknowledged-links.ts'
import type { Fact, Single } from './fact.ts'
import type { Ids, Outcome } from './perform.ts'
import { isTracked } from './program-values.ts'
import { flatten, type Program, type Step } from './programs.ts'
import { isLocalized, isShared } from './written-types.ts'

/** A step that ran, with the times of its begin and end. */
export interface Event {
  readonly step: Step
  readonly outcome: Outcome
  readonly began: number
  readonly ended: number
}

/** The outcome of a program. */
export interface Run {
  readonly program: Program
  readonly ids: Ids
  readonly events: readonly Event[]
}

/** The values of the remaining rows, by type, id and attribute. */
export type Rows = ReadonlyMap<string, ReadonlyMap<number, Readonly<Record<string, unknown>>>>

/** The content of the database after programs. */
export interface Remains {
  readonly rows: Rows
  readonly links: Links
}

export class WriteCheck {
  readonly #types: ReadonlyMap<string, ContentType>
  readonly #run: Run
  readonly #rows: Rows
  readonly #links: Links
  readonly #facts: readonly Fact[]
  readonly #all: readonly Single[]
  readonly #faults: string[] = []

  constructor(types: ReadonlyMap<string, ContentType>, run: Run, { rows, links }: Remains) {
    this.#types = types
    this.#run = run
    this.#rows = rows
    this.#links = links
    this.#all = run.program.actors.flatMap(one => flatten(one.steps))
    this.#facts = run.events.flatMap(({ step, outcome, began, ended }) => {
      if (outcome.status !== 200) return []
      return flatten([step]).map((one, i) => ({ step: one, answer: outcome.answers[i] ?? null, began, ended }))
    })
  }

  /** The faults as texts; empty if there are none. */
  run(): string[] {
    for (const event of this.#run.events) this.#checkAnswer(event)
    this.#checkUnique()
    for (const { name, type } of this.#entries()) {
      this.#checkExistence(name, type)
      this.#checkValues(name, type)
    }
    this.#faults.push(...missingLinks(this.#types, [...this.#initial(), ...this.#facts], this.#run.ids, this.#links))
    return this.#faults
  }

  /** All entries that have a name. */
  #entries(): { name: string; type: string }[] {
    const made = this.#all.flatMap(one => ('as' in one ? [{ name: one.as, type: one.type }] : []))
    return [...this.#run.program.initial, ...made].filter(one => this.#run.ids[one.name] !== undefined)
  }

  /** The initial entries, as if they had been written by steps. */
  #initial(): Fact[] {
    return this.#run.program.initial.map(({ name, type, data }) => {
      const step = { do: 'create', type, as: name, data, transport: 'kernel' } as const
      return { step, answer: null, began: -2, ended: -1 }
    })
  }

  #checkAnswer({ step, outcome }: Event): void {
    const { status, messages } = outcome
    if (status <= 0 || status === 200 || status === 503) return
    const wrong = `an answer that nothing in the program explains: ${status} ${messages.join('; ')}`
    if (status === 404 ? this.#mayMiss(step) : status === 400 && messages.every(one => this.#mayRefuse(one))) return
    this.#faults.push(wrong)
  }

  #deletes(name: string | null): boolean {
    return this.#all.some(one => (name === null ? one.do === 'drop' : one.do === 'delete' && one.entry === name))
  }

  #mayMiss(step: Step): boolean {
    return flatten([step]).some(one => {
      if (one.do === 'drop') return true
      if (one.do === 'translate' && one.entry === null) return true
      return 'entry' in one && this.#deletes(one.entry)
    })
  }

  #mayRefuse(message: string): boolean {
    const all = this.#all
    if (message === 'This attribute must be unique') return this.#run.program.theme === 'unique'
    if (/^\d+ relation\(s\) of type .* do not exist$/.test(message))
      return all.some(one => one.do === 'delete' || one.do === 'drop')
    if (message === 'locale is already used') return all.some(one => 'data' in one && 'locale' in one.data)
    if (/^Some of the provided components in .* are not related/.test(message))
      return all.some(one => one.do === 'rework')
    if (/^\w+ must be (defined\.|a `\w+` type, but the final value was: `(null|NaN)`)/.test(message))
      return all.some(one => 'data' in one && Object.values(one.data).includes(null))
    if (message === 'singleType.alreadyExists')
      return all.some(one => one.do === 'translate') && all.some(one => one.do === 'drop')
    return false
  }

  /** Of the writes of one free unique value, one succeeds. */
  #checkUnique(): void {
    if (this.#run.program.theme !== 'unique' || this.#run.events.some(one => one.outcome.status !== 400)) return
    const isRefused = this.#run.events.every(one => one.outcome.messages.includes('This attribute must be unique'))
    // A transaction may refuse itself.
    const isFree =
      this.#run.program.initial.length === 0 && this.#run.events.every(one => one.step.do !== 'transaction')
    if (isRefused && isFree) this.#faults.push('all writes were refused for a unique value that no entry has')
  }

  #row(name: string, type: string) {
    return this.#rows.get(type)?.get(this.#run.ids[name]!)
  }

  #checkExistence(name: string, type: string): void {
    const id = this.#run.ids[name]!
    const deletions = this.#facts.filter(({ step }) => step.do === 'delete' && step.entry === name)
    const isThere = this.#row(name, type) !== undefined
    if (deletions.length > 1) this.#faults.push(`${deletions.length} deletions of ${name} (${id}) succeeded`)
    if (deletions.length > 0 && isThere)
      this.#faults.push(`${name} (${id}) is there, but its deletion was acknowledged`)
    if (deletions.length === 0 && !isThere && this.#types.get(type)!.kind !== 'singleType')
      this.#faults.push(`${name} (${id}) is gone, but no deletion was acknowledged`)
    const asked = this.#run.events.filter(({ step }) => step.do === 'delete' && step.entry === name)
    if (isThere && asked.some(one => one.outcome.status === 404))
      this.#faults.push(`${name} (${id}) was not found by a deletion`)
    for (const { step, began } of this.#facts) {
      const isLate = deletions.some(one => one.ended < began)
      if (isLate && step.do === 'update' && step.entry === name)
        this.#faults.push(`${name} (${id}) was changed after its deletion`)
    }
  }

  #familyOf(name: string): string {
    const there = this.#run.program.initial.find(one => one.name === name)
    if (there !== undefined) return there.family
    const step = this.#all.find(one => 'as' in one && one.as === name)
    if (step?.do === 'translate') return step.entry === null ? name : this.#familyOf(step.entry)
    const [source] = (step as { data: { localizations?: { $ref: string }[] } }).data.localizations ?? []
    return source === undefined ? name : this.#familyOf(source.$ref)
  }

  /** The last value of each attribute was sent by an acknowledged write after which no other one began. */
  #checkValues(name: string, uid: string): void {
    const type = this.#types.get(uid)!
    const row = this.#row(name, uid)
    if (row === undefined || type.kind === 'singleType') return
    const family = this.#familyOf(name)
    for (const attribute of type.attributes.values()) {
      if (!isTracked(attribute)) continue
      const isOfFamily = isLocalized(type) && isShared(attribute)
      const isAbout = (one: string) => one === name || (isOfFamily && this.#familyOf(one) === family)
      const writes = this.#writes(uid, attribute.name, isAbout)
      const last = writes.filter(one => !writes.some(other => other.began > one.ended))
      const found = text(row[attribute.name])
      if (last.some(one => one.value === found)) continue
      if (last.length === 0 && (found === null || isOfFamily || attribute.definition.default !== undefined)) continue
      const list = last.map(one => one.value).join(', ')
      this.#faults.push(`${name}.${attribute.name} (${row.id}) is ${found}, but acknowledged was ${list || 'nothing'}`)
    }
  }

  #writes(uid: string, attribute: string, isAbout: (name: string) => boolean) {
    const writes: { value: string | null; began: number; ended: number }[] = []
    for (const { name, type, data } of this.#run.program.initial)
      if (type === uid && isAbout(name) && attribute in data)
        writes.push({ value: text(data[attribute]), began: -2, ended: -1 })
    for (const { step, began, ended } of this.#facts) {
      if (step.type !== uid || !('data' in step) || !(attribute in step.data)) continue
      const name = 'as' in step ? step.as : 'entry' in step ? step.entry : null
      if (name !== null && isAbout(name)) writes.push({ value: text(step.data[attribute]), began, ended })
    }
    return writes
  }
}

const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
