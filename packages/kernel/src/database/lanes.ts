// How many reads run side by side on a server, so that a few clients with heavy ones leave processors and connections to the
// others. Reads of one shape cost about the same: a shape is told apart by an object, such as a compiled plan.

import { Lane, type Wait } from './lane.ts'
import type { Maybe } from './session.ts'
import { Slowdown } from './slowdown.ts'
import type { IsAbandoned } from './usage.ts'

/** Reads that usually take so many milliseconds are heavy, until they take fewer than half of them. */
const heavyFrom = 50
/** Most slow reads that wait, and most of the others. */
const maxSlow = 100
const maxWaiting = 1000
/** Most milliseconds between a first run that failed and the next one. */
const maxPause = 100
/** Short reads that take so many times their usual time make heavy ones fewer, those below make them more. */
const tooSlow = 1.5
const fastEnough = 1.2
/** After so many sweeps with heavy reads there is one without, in which is learned what is usual. */
const sweepsPerRest = 100
/** How much the usual time follows a run; the first runs count in any case. One that took longer waited for something else. */
const following = 1 / 8
const maxTimes = 10
const firstRuns = 8

/** What is known of a shape. A slow one is cancelled where it keeps others from connections; the sweep says which these are. */
interface Known {
  speed: 'short' | 'heavy' | 'slow'
  /** Milliseconds of a run while no heavy ones are under way. */
  usual: number
  runs: number
}

/** The first run of a shape. */
interface Trial {
  /** The other reads of the shape wait here. */
  readonly queue: Lane
  /** Where the read that runs is counted; null before and after. */
  lane: Lane | null
}

/**
 * The connections that reads may use. Short reads: all. Slow ones: an eighth. Heavy ones: fewer, down to one, while short
 * reads take longer than usual beside them, and more, up to all but an eighth, while they do not. Of a shape that nobody
 * knows one read runs, and its others wait until that one has ended or turns out to be slow; where it fails, the next one
 * tries, after a pause as long as the run: reads that fail, such as those of too large answers, take half of the time at most.
 */
export class Lanes {
  readonly #known = new WeakMap<object, Known>()
  /** By shape, those that are asked for and not known yet. */
  readonly #trials = new Map<object, Trial>()
  readonly #slow: Lane
  readonly #heavy: Lane
  readonly #unknown: Lane
  readonly #slowdown = new Slowdown()
  readonly #waitTimeout: number
  readonly #most: number
  /** Sweeps since the last one without heavy reads. */
  #sweeps = 0
  /** The width of the heavy lane before it was closed for a rest. */
  #rests: number | null = null
  /** Connections for slow reads. */
  readonly share: number

  /** `size`: connections of the pool; `waitTimeout`: milliseconds that a read waits. */
  constructor(size: number, waitTimeout: number) {
    this.share = Math.max(1, Math.floor(size / 8))
    this.#waitTimeout = waitTimeout
    this.#most = Math.max(1, size - this.share)
    this.#slow = new Lane(this.share, maxSlow)
    this.#heavy = new Lane(Math.max(1, Math.floor(size / 4)), maxWaiting)
    this.#unknown = new Lane(this.#most, maxWaiting)
  }

  /** May reads of this shape run anywhere? */
  isShort(shape: object): boolean {
    return this.#known.get(shape)?.speed === 'short'
  }

  /** Do reads of unknown shapes wait for others of such shapes? */
  get isCrowded(): boolean {
    return this.#unknown.hasWaiting
  }

  /** Heavy reads that may run at a time. */
  get width(): number {
    return this.#heavy.width
  }

  /** Learns from a run that succeeded in so many milliseconds. */
  note(shape: object, took: number): void {
    const known = this.#known.get(shape)
    if (known === undefined) {
      this.#known.set(shape, { speed: took < heavyFrom ? 'short' : 'heavy', usual: took, runs: 1 })
      this.#trials.get(shape)?.queue.open()
      return
    }
    const { speed, usual, runs } = known
    if (speed === 'short') this.#slowdown.note(took, usual)
    if (speed === 'slow') known.usual = took
    else if (speed === 'heavy' || this.#isQuiet || runs < firstRuns)
      known.usual += (Math.min(took, maxTimes * usual) - usual) * following
    known.runs++
    known.speed = known.usual < (speed === 'heavy' ? heavyFrom / 2 : heavyFrom) ? 'short' : 'heavy'
  }

  get #isQuiet(): boolean {
    return this.#heavy.taken === 0 && this.#slow.taken === 0
  }

  /** A run, which still goes on, is slow. */
  noteSlow(shape: object): void {
    const known = this.#known.get(shape)
    if (known === undefined) this.#known.set(shape, { speed: 'slow', usual: 0, runs: 0 })
    else known.speed = 'slow'
    const trial = this.#trials.get(shape)
    if (trial === undefined) return
    if (trial.lane === this.#unknown) {
      this.#slow.occupy()
      trial.lane = this.#slow
      this.#unknown.leave()
    }
    trial.queue.open()
  }

  /** A run failed, which says nothing of others but that they had better not run side by side: one tries again. */
  forget(shape: object): void {
    if (this.#known.get(shape)?.speed !== 'slow') this.#known.delete(shape)
  }

  /** Throws UnavailableError where no place becomes free in time, or too many wait already. */
  async run<T>(shape: object, work: () => Maybe<T>, isAbandoned?: IsAbandoned): Promise<T> {
    const wait: Wait = { deadline: performance.now() + this.#waitTimeout, isAbandoned }
    if (!this.#known.has(shape)) {
      const tried = await this.#try(shape, work, wait)
      if (tried !== null) return tried.result
    }
    const speed = this.#known.get(shape)?.speed ?? 'short'
    if (speed === 'short') return work()
    const lane = speed === 'slow' ? this.#slow : this.#heavy
    await lane.enter(wait)
    try {
      return await work()
    } finally {
      lane.leave()
    }
  }

  /** Runs `work` where it is the first of its shape; null where another read has shown meanwhile what the shape costs. */
  async #try<T>(shape: object, work: () => Maybe<T>, wait: Wait): Promise<{ readonly result: T } | null> {
    const trial = this.#trials.get(shape) ?? { queue: new Lane(1, maxWaiting), lane: null }
    this.#trials.set(shape, trial)
    await trial.queue.enter(wait)
    const leave = () => {
      trial.queue.leave()
      if (trial.queue.isIdle) this.#trials.delete(shape)
    }
    const began = performance.now()
    try {
      const tried = this.#known.has(shape) ? null : { result: await this.#runFirst(trial, work, wait) }
      leave()
      return tried
    } catch (error) {
      setTimeout(leave, Math.min(performance.now() - began, maxPause))
      throw error
    }
  }

  async #runFirst<T>(trial: Trial, work: () => Maybe<T>, wait: Wait): Promise<T> {
    await this.#unknown.enter(wait)
    trial.lane = this.#unknown
    try {
      return await work()
    } finally {
      trial.lane.leave()
      trial.lane = null
    }
  }

  /** Refuses those that nobody waits for any more, and says how many heavy reads may run until the next sweep. */
  sweep(): void {
    for (const lane of [this.#slow, this.#heavy, this.#unknown]) lane.sweep()
    for (const { queue } of this.#trials.values()) queue.sweep()
    this.#balance()
  }

  #balance(): void {
    const ratio = this.#slowdown.judge()
    if (this.#rests !== null) {
      this.#heavy.width = this.#rests
      this.#rests = null
    }
    if (this.#heavy.taken === 0 && !this.#heavy.hasWaiting) {
      this.#sweeps = 0
      return
    }
    const { width } = this.#heavy
    if (ratio !== null && ratio > tooSlow) this.#heavy.width = Math.max(1, Math.floor(width / 2))
    else if (ratio === null || ratio < fastEnough) this.#heavy.width = Math.min(this.#most, width + 1)
    if (++this.#sweeps % sweepsPerRest === 0) this.#rest()
  }

  /** No heavy read begins until the next sweep. */
  #rest(): void {
    this.#rests = this.#heavy.width
    this.#heavy.width = 0
  }
}
