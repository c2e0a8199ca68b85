// Limits how many reads run at the same time on a server, so that a few clients with heavy reads leave processors and
// connections to the others. Reads of one shape cost about the same; a shape is identified by an object, such as a
// compiled plan.

import type { Maybe, Reading } from '@plinth/kernel/database'
import { Lane, type Wait } from './lane.ts'
import { Slowdown } from './slowdown.ts'

/** Usual time of a read from which it is heavy, in milliseconds, until it takes less than half of that. */
const heavyFrom = 50
/** Maximum numbers of slow and of other reads that wait. */
const maxSlow = 100
const maxWaiting = 1000
/** Maximum milliseconds between a failed first run and the next one. */
const maxPause = 100
/**
 * The limit of heavy reads falls if short reads take more than `tooSlow` times their usual time, and rises below
 * `fastEnough`.
 */
const tooSlow = 1.5
const fastEnough = 1.2
/** Number of sweeps with heavy reads before one without, which measures the usual times. */
const sweepsPerRest = 100
/**
 * The weight of a run in the usual time; the first runs always count. A run of more than `maxTimes` the usual time
 * waited for something else and is capped.
 */
const following = 1 / 8
const maxTimes = 10
const firstRuns = 8

/**
 * The cost of reads of a shape. A slow read is cancelled if it keeps others from connections; the sweep finds slow
 * reads.
 */
interface ReadCost {
  speed: 'short' | 'heavy' | 'slow'
  /** Milliseconds of a run while no heavy reads run. */
  usual: number
  runs: number
}

/** The first run of a shape. */
interface Trial {
  /** The other reads of the shape wait here. */
  readonly queue: Lane
  /** The lane that counts the running read; null before and after. */
  lane: Lane | null
}

/**
 * The connections that reads may use. Short reads may use all, slow reads an eighth. Heavy reads may use fewer, down to
 * one, while short reads take longer than usual beside them, and otherwise more, up to all but an eighth. Of an unknown
 * shape, one read runs, and the others wait until it ends or turns out to be slow. If it fails, the next one runs after
 * a pause as long as the failed run: so reads that always fail, for instance because their answer is too large, take at
 * most half of the time.
 */
export class Lanes {
  readonly #costs = new WeakMap<object, ReadCost>()
  /** The first runs of unknown shapes, by shape. */
  readonly #trials = new Map<object, Trial>()
  readonly #slow: Lane
  readonly #heavy: Lane
  readonly #unknown: Lane
  readonly #slowdown = new Slowdown()
  readonly #waitTimeout: number
  readonly #maxHeavy: number
  /** Sweeps since the last one without heavy reads. */
  #sweeps = 0
  /** The width of the heavy lane before it was closed for a sweep. */
  #rests: number | null = null
  /** The number of connections for slow reads. */
  readonly share: number

  /** `size`: connections of the pool; `waitTimeout`: milliseconds that a read waits. */
  constructor(size: number, waitTimeout: number) {
    this.share = Math.max(1, Math.floor(size / 8))
    this.#waitTimeout = waitTimeout
    this.#maxHeavy = Math.max(1, size - this.share)
    this.#slow = new Lane(this.share, maxSlow)
    this.#heavy = new Lane(Math.max(1, Math.floor(size / 4)), maxWaiting)
    this.#unknown = new Lane(this.#maxHeavy, maxWaiting)
  }

  /** Returns whether reads of this shape run without waiting for a lane. */
  isShort(shape: object): boolean {
    return this.#costs.get(shape)?.speed === 'short'
  }

  /** True if reads of unknown shapes wait. */
  get isCrowded(): boolean {
    return this.#unknown.hasWaiting
  }

  /** The number of heavy reads that may run at a time. */
  get width(): number {
    return this.#heavy.width
  }

  /** Records a successful run and its milliseconds. */
  note(shape: object, took: number): void {
    const cost = this.#costs.get(shape)
    if (cost === undefined) {
      this.#costs.set(shape, { speed: took < heavyFrom ? 'short' : 'heavy', usual: took, runs: 1 })
      this.#trials.get(shape)?.queue.open(shape)
      return
    }
    const { speed, usual, runs } = cost
    if (speed === 'short') this.#slowdown.note(took, usual)
    if (speed === 'slow') cost.usual = took
    else if (speed === 'heavy' || this.#isQuiet || runs < firstRuns)
      cost.usual += (Math.min(took, maxTimes * usual) - usual) * following
    cost.runs++
    // One quick run does not make a slow shape short.
    const isShort = speed !== 'slow' && cost.usual < (speed === 'heavy' ? heavyFrom / 2 : heavyFrom)
    cost.speed = isShort ? 'short' : 'heavy'
    if (cost.speed === 'short' && speed !== 'short') this.#release(shape)
  }

  /** Lets in the reads of a shape that has turned out to be short. */
  #release(shape: object): void {
    this.#slow.open(shape)
    this.#heavy.open(shape)
  }

  get #isQuiet(): boolean {
    return this.#heavy.taken === 0 && this.#slow.taken === 0
  }

  /** Records that a run, which has not ended, is slow. */
  noteSlow(shape: object): void {
    const cost = this.#costs.get(shape)
    if (cost === undefined) this.#costs.set(shape, { speed: 'slow', usual: 0, runs: 0 })
    else cost.speed = 'slow'
    const trial = this.#trials.get(shape)
    if (trial === undefined) return
    if (trial.lane === this.#unknown) {
      this.#slow.occupy()
      trial.lane = this.#slow
      this.#unknown.leave()
    }
    trial.queue.open(shape)
  }

  /** Forgets a shape after a failed run, which says little about other runs: the next read runs alone again. */
  forget(shape: object): void {
    if (this.#costs.get(shape)?.speed !== 'slow') this.#costs.delete(shape)
  }

  /**
   * Runs a read in the lane of its shape. Throws UnavailableError if no permit becomes free in time, or if too many
   * reads wait already.
   */
  async run<T>(shape: object, work: () => Maybe<T>, { isAbandoned, bytes }: Reading = {}): Promise<T> {
    const deadline = performance.now() + this.#waitTimeout
    const wait: Wait = { caller: bytes?.caller ?? this, shape, deadline, isAbandoned }
    if (!this.#costs.has(shape)) {
      const tried = await this.#try(work, wait)
      if (tried !== null) return tried.result
    }
    const speed = this.#costs.get(shape)?.speed ?? 'short'
    if (speed === 'short') return work()
    const lane = speed === 'slow' ? this.#slow : this.#heavy
    await lane.enter(wait)
    try {
      return await work()
    } finally {
      lane.leave()
    }
  }

  /**
   * Runs `work` if it is the first read of its shape. Returns null if another read has shown meanwhile what the shape
   * costs.
   */
  async #try<T>(work: () => Maybe<T>, wait: Wait): Promise<{ readonly result: T } | null> {
    const { shape } = wait
    const trial = this.#trials.get(shape) ?? { queue: new Lane(1, maxWaiting), lane: null }
    this.#trials.set(shape, trial)
    await trial.queue.enter(wait)
    const leave = () => {
      trial.queue.leave()
      if (trial.queue.isIdle) this.#trials.delete(shape)
    }
    const began = performance.now()
    try {
      const tried = this.#costs.has(shape) ? null : { result: await this.#runFirst(trial, work, wait) }
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

  /** Refuses reads whose client no longer waits, and adjusts how many heavy reads may run until the next sweep. */
  sweep(): void {
    for (const lane of [this.#slow, this.#heavy, this.#unknown]) lane.sweep()
    for (const { queue } of this.#trials.values()) queue.sweep()
    this.#balance()
  }

  #balance(): void {
    const ratio = this.#slowdown.takeRatio()
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
    else if (ratio === null || ratio < fastEnough) this.#heavy.width = Math.min(this.#maxHeavy, width + 1)
    if (++this.#sweeps % sweepsPerRest === 0) this.#rest()
  }

  /** Lets no heavy read begin until the next sweep. */
  #rest(): void {
    this.#rests = this.#heavy.width
    this.#heavy.width = 0
  }
}
