/**
 * Makes programs of concurrent writes. A theme decides which data the writes have in common: one entry with its
 * components, both sides of a relation, the translations of an entry, unique values, or a single type. It depends on
 * the model and runs nothing.
 */

import type { ContentType } from '@plinth/kernel'
import { isLinked, type Names, Values } from './program-values.ts'
import type { Actor, InitialEntry, Program, Step } from './programs.ts'
import { Random } from './random.ts'
import { locales } from './workshop.ts'
import { isLocalized, isOpposite, isShared, type WrittenTypes } from './written-types.ts'

const short = (uid: string) => uid.slice(uid.lastIndexOf('.') + 1)

const themes = [
  [5, 'entry'],
  [8, 'relation'],
  [5, 'translations'],
  [3, 'unique'],
  [0.4, 'single'],
] as const
type Theme = (typeof themes)[number][1]

/** The program with this number; equal for equal seeds and models. */
export function makeProgram(written: WrittenTypes, seed: number, number: number): Program {
  return new Maker(written, new Random(seed, number), number).make()
}

class Maker {
  readonly #written: WrittenTypes
  readonly #random: Random
  readonly #number: number
  readonly #theme: Theme
  readonly #values: Values
  readonly #initial: InitialEntry[] = []
  readonly #names = new Map<string, string[]>()
  readonly #singles = new Set<string>()
  #made = 0

  constructor(written: WrittenTypes, random: Random, number: number) {
    this.#written = written
    this.#random = random
    this.#number = number
    const counts = { translations: Math.min(1, written.localized.length), single: written.singles.length }
    this.#theme = random.weigh(themes.map(([weight, name]) => [weight * (counts[name as 'single'] ?? 1), name]))
    this.#values = new Values(random, written.types, number)
  }

  make(): Program {
    const next = this.#stepsOf()
    const processes = this.#random.chance(0.5) ? 1 : 2
    const actors: Actor[] = []
    const count = this.#random.weigh([
      [2, 2],
      [3, 4],
      [3, 6],
      [2, 8],
    ])
    for (let i = 0; i < count; i++) {
      const own = this.#random.chance(0.85) ? 1 : this.#random.between(2, 3)
      const steps = Array.from({ length: own }, next)
      const isTransaction = this.#theme !== 'single' && this.#random.chance(0.12)
      const whole: Step = { do: 'transaction', steps: steps.map(inKernel), fails: this.#random.chance(0.3) }
      const canJoin = isTransaction && steps.every(one => one.do !== 'translate')
      actors.push({ process: this.#random.between(0, processes - 1), steps: canJoin ? [whole] : steps })
    }
    const singles = [...this.#singles]
    return { number: this.#number, theme: this.#theme, initial: this.#initial, actors, singles }
  }

  /** Makes the initial entries. Returns the function that makes steps. */
  #stepsOf(): () => Step {
    const { collections, holders, localized, singles, unique, relations } = this.#written
    switch (this.#theme) {
      case 'entry': {
        const type = this.#random.pick(this.#random.chance(0.8) ? holders : collections)
        this.#befriend(type)
        const entry = this.#there(type)
        this.#values.empties = type.attributes.has('publishedAt')
        return () => this.#onEntry(type, entry)
      }
      case 'relation': {
        const [type, name] = this.#random.pick(relations)
        return this.#relation(type, name)
      }
      case 'translations': {
        const type = this.#random.pick(localized)
        this.#befriend(type)
        const family = [this.#there(type)]
        if (this.#random.chance(0.5)) family.push(this.#thereToo(type, family[0]!, 'fr'))
        return () => this.#onFamily(type, family)
      }
      case 'unique': {
        const type = this.#random.pick(unique)
        const entries = this.#random.chance(0.5) ? [this.#there(type), this.#there(type)] : []
        this.#values.contends = true
        return () => this.#onUnique(type, entries)
      }
      case 'single': {
        const type = this.#random.pick(singles)
        this.#singles.add(type.uid)
        return () => this.#onSingle(type)
      }
    }
  }

  #relation(type: ContentType, name: string): () => Step {
    const attribute = type.attributes.get(name)!
    if (!isLinked(attribute)) throw new Error(`${type.uid}.${name} is not a relation that programs write`)
    const targets = attribute.target === null ? ['stamp', 'label'].map(one => `api::${one}.${one}`) : [attribute.target]
    for (const uid of targets) {
      const count = this.#random.between(1, targets.length > 1 ? 2 : 3)
      for (let i = 0; i < count; i++) this.#there(this.#written.types.get(uid)!, false)
    }
    const own = Array.from({ length: this.#random.between(1, 3) }, () => this.#there(type, this.#random.chance(0.4)))
    const sides = [{ type, name, entries: own }]
    for (const uid of targets) {
      const target = this.#written.types.get(uid)!
      const back = [...target.attributes.values()].find(one => isOpposite(type, name, one))
      if (back !== undefined) sides.push({ type: target, name: back.name, entries: this.#names.get(uid)! })
    }
    return () => {
      const side = this.#random.pick(sides)
      const made = side.type.attributes.get(side.name)!
      const wanted = this.#values.of(made, this.#names, false)
      const link = wanted === undefined ? {} : { [side.name]: wanted }
      return this.#random.weigh<() => Step>([
        [
          6,
          () => ({
            do: 'update',
            type: side.type.uid,
            entry: this.#random.pick(side.entries),
            data: link,
            ...this.#transport(),
          }),
        ],
        [3, () => this.#creation(side.type, { [side.name]: this.#values.of(made, this.#names, true) })],
        [
          1.5,
          () =>
            this.#deletion(
              this.#random.pick(
                [...this.#names.entries()].flatMap(([uid, list]) => list.map(one => [uid, one] as const)),
              ),
            ),
        ],
      ])()
    }
  }

  #onEntry(type: ContentType, entry: string): Step {
    const lists = [...type.attributes.values()].filter(
      one => one.kind === 'zone' || (one.kind === 'component' && one.many),
    )
    const parts = [...type.attributes.values()].filter(one => one.kind === 'component' || one.kind === 'zone')
    const attributes = [...type.attributes.values()]
    const change = () => {
      const chosen = parts.length > 0 && this.#random.chance(0.6) ? parts : attributes
      return this.#update(type, entry, this.#values.ofChange(chosen, this.#names))
    }
    return this.#random.weigh<() => Step>([
      [7, change],
      [
        lists.length > 0 ? 1.5 : 0,
        () => ({
          do: 'rework',
          type: type.uid,
          entry,
          field: this.#random.pick(lists).name,
          word: this.#values.word(),
        }),
      ],
      [2, () => this.#deletion([type.uid, entry])],
      [0.5, () => this.#creation(type)],
    ])()
  }

  #onFamily(type: ContentType, family: readonly string[]): Step {
    const entry = this.#random.pick(family)
    const shared = [...type.attributes.values()].filter(one => isShared(one))
    return this.#random.weigh<() => Step>([
      [6, () => this.#update(type, entry, this.#values.ofChange(shared, this.#names))],
      [2, () => this.#update(type, entry, this.#values.ofChange([...type.attributes.values()], this.#names))],
      [2.5, () => this.#translation(type, entry)],
      [0.8, () => this.#deletion([type.uid, entry])],
    ])()
  }

  #translation(type: ContentType, entry: string): Step {
    const locale = this.#random.pick(locales.slice(1))
    const as = this.#name(type.uid)
    const own = this.#values.ofNew(type, this.#names, 0.15)
    if (this.#random.chance(0.5)) return { do: 'translate', type: type.uid, entry, as, data: { ...own, locale } }
    const data = { ...own, locale, localizations: [{ $ref: entry }] }
    return { do: 'create', type: type.uid, as, data, ...this.#transport() }
  }

  #onUnique(type: ContentType, entries: readonly string[]): Step {
    const attributes = [...type.attributes.values()].filter(
      one => (one.kind === 'scalar' && (one.unique || one.type === 'integer')) || one.kind === 'component',
    )
    return this.#random.weigh<() => Step>([
      [4, () => this.#creation(type)],
      [
        entries.length > 0 ? 5 : 0,
        () => this.#update(type, this.#random.pick(entries), this.#values.ofChange(attributes, this.#names)),
      ],
      [entries.length > 0 ? 0.7 : 0, () => this.#deletion([type.uid, this.#random.pick(entries)])],
    ])()
  }

  #onSingle(type: ContentType): Step {
    const attributes = [...type.attributes.values()].filter(one => one.name !== 'publishedAt')
    const title = attributes[0]!
    const data = { [title.name]: this.#values.word(), ...this.#values.ofChange(attributes, this.#names) }
    const translates = isLocalized(type) ? 2 : 0
    return this.#random.weigh<() => Step>([
      [8, () => ({ do: 'put', type: type.uid, data })],
      [0.8, () => ({ do: 'drop', type: type.uid })],
      [
        translates,
        () => ({
          do: 'translate',
          type: type.uid,
          entry: null,
          as: this.#name(type.uid),
          data: { ...data, locale: this.#random.pick(locales.slice(1)) },
        }),
      ],
    ])()
  }

  #update(type: ContentType, entry: string, data: Step extends { data: infer D } ? D : object): Step {
    return { do: 'update', type: type.uid, entry, data: data as Record<string, unknown>, ...this.#transport() }
  }

  #creation(type: ContentType, more: object = {}): Step {
    const data = { ...this.#values.ofNew(type, this.#names, 0.3), ...more }
    return { do: 'create', type: type.uid, as: this.#name(type.uid), data, ...this.#transport() }
  }

  #deletion([type, entry]: readonly [string, string]): Step {
    return { do: 'delete', type, entry, ...this.#transport() }
  }

  #transport(): { transport: 'kernel' | 'rest' } {
    return { transport: this.#random.chance(0.5) ? 'kernel' : 'rest' }
  }

  #name(uid: string): string {
    return `${short(uid)}${++this.#made}`
  }

  /** One of the initial entries. */
  #there(type: ContentType, isLinked = true): string {
    const name = this.#name(type.uid)
    const names: Names = isLinked ? this.#names : new Map()
    this.#initial.push({ name, type: type.uid, data: this.#values.ofNew(type, names, 0.5), family: name })
    this.#names.set(type.uid, [...(this.#names.get(type.uid) ?? []), name])
    return name
  }

  #thereToo(type: ContentType, source: string, locale: string): string {
    const name = this.#name(type.uid)
    const data = { ...this.#values.ofNew(type, new Map(), 0), locale, localizations: [{ $ref: source }] }
    this.#initial.push({ name, type: type.uid, data, family: source })
    this.#names.get(type.uid)!.push(name)
    return name
  }

  /** Links are made only in some cases. */
  #befriend(type: ContentType): void {
    for (const one of type.attributes.values()) {
      if (!isLinked(one) || one.target === null || one.target === type.uid) continue
      const isThere = this.#names.has(one.target)
      if (!isThere && this.#random.chance(0.25)) this.#there(this.#written.types.get(one.target)!, false)
    }
  }
}

/** Requests cannot join a transaction of the test. */
function inKernel(step: Step): Step {
  return 'transport' in step ? { ...step, transport: 'kernel' } : step
}
