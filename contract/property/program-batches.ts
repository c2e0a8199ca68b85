/** Divides programs into batches that run concurrently, and finds the smallest program that still fails. */

import type { Failure, Workplace } from './program-runner.ts'
import { makeProgram } from './program-themes.ts'
import { type Actor, type Program, print, type Step } from './programs.ts'

/** Batches of the programs with these numbers. A batch contains at most one program that writes a given single type. */
export function* batchesOf(
  place: Workplace,
  seed: number,
  numbers: readonly number[],
  size = 32,
): Generator<Program[]> {
  let left = [...numbers]
  while (left.length > 0) {
    const batch: Program[] = []
    const later: number[] = []
    const singles = new Set<string>()
    while (left.length > 0 && batch.length < size) {
      const program = makeProgram(place.written, seed, left.shift()!)
      if (program.singles.some(one => singles.has(one))) later.push(program.number)
      else batch.push(program)
      for (const one of program.singles) singles.add(one)
    }
    left = [...later, ...left]
    yield batch
  }
}

/** The violations of a batch, and the programs that caused them: reduced as far as possible, and as they ran. */
export async function explain(
  place: Workplace,
  batch: readonly Program[],
  failures: readonly Failure[],
): Promise<string> {
  const found = failures.flatMap(one => (one.run === null ? [] : [one.run.program]))
  const others = batch.filter(one => !found.includes(one))
  const told = failures.map(say)
  const isNameless = failures.some(one => one.run === null)
  const kinds = new Set(failures.flatMap(kindsOf))
  const deadline = performance.now() + 60_000
  const small: string[] = []
  for (const program of isNameless ? [...found, ...others] : found) {
    if (performance.now() > deadline || small.length === 3) break
    const failure = await repeat(place, program, kinds, isNameless ? 5 : 20)
    if (failure === null) continue
    small.push(say(await shrink(place, failure, performance.now() + 15_000)))
  }
  return [...told, ...(small.length > 0 ? ['Alone and smaller:', ...small] : ['None of it fails alone.'])].join('\n\n')
}

function say({ run, faults }: Failure): string {
  if (run === null) return [...faults, 'by one of the programs of the batch'].join('\n')
  const events = run.events.map(({ step, outcome, began, ended }) => {
    const name = 'as' in step ? step.as : 'entry' in step ? step.entry : ''
    const times = `${(began - run.events[0]!.began).toFixed(1)} to ${(ended - run.events[0]!.began).toFixed(1)} ms`
    return `  ${times}: ${step.do} ${name}: ${outcome.status} ${outcome.messages.join('; ')}`
  })
  return [...faults, print(run.program), ...events, `  ids: ${JSON.stringify(run.ids)}`].join('\n')
}

/** The faults without the names, values and ids of one run. */
export function kindsOf({ faults }: Failure): string[] {
  return faults.map(one => one.replace(/, ids .*| \(\d+\).*|\n.*/s, '').replace(/[a-z-]*\d+/g, '#'))
}

type Kinds = ReadonlySet<string>

/** Repeats a program alone until it fails in one of these ways; null if it does not. */
async function repeat(place: Workplace, program: Program, kinds: Kinds, times: number): Promise<Failure | null> {
  for (let i = 0; i < times; i++) {
    const found = (await place.run([program])).find(one => kindsOf(one).some(kind => kinds.has(kind)))
    await place.empty()
    if (found !== undefined) return found
  }
  return null
}

/** Removes clients and steps as long as the program still fails. */
async function shrink(place: Workplace, failure: Failure, deadline: number): Promise<Failure> {
  let smallest = failure
  const kinds = new Set(kindsOf(failure))
  let isSmaller = true
  while (isSmaller) {
    isSmaller = false
    for (const program of smallerThan(smallest.run!.program)) {
      if (performance.now() > deadline) return smallest
      const again = await repeat(place, program, kinds, 20)
      if (again?.run === null || again === null) continue
      smallest = again
      isSmaller = true
      break
    }
  }
  return smallest
}

function* smallerThan(program: Program): Generator<Program> {
  const { actors } = program
  for (const [i] of actors.entries()) if (actors.length > 1) yield { ...program, actors: actors.toSpliced(i, 1) }
  for (const [i, actor] of actors.entries())
    for (const steps of fewer(actor.steps))
      yield { ...program, actors: actors.toSpliced(i, 1, { ...actor, steps } as Actor) }
  for (const [i, { name }] of program.initial.entries()) {
    const rest = { ...program, initial: program.initial.toSpliced(i, 1) }
    if (!JSON.stringify([rest.initial, rest.actors]).includes(JSON.stringify(name))) yield rest
  }
}

function* fewer(steps: readonly Step[]): Generator<readonly Step[]> {
  for (const [i, step] of steps.entries()) {
    if (steps.length > 1) yield steps.toSpliced(i, 1)
    if (step.do === 'transaction') {
      if (step.steps.length === 1 && !step.fails) yield steps.toSpliced(i, 1, step.steps[0]!)
      for (const inner of fewer(step.steps)) yield steps.toSpliced(i, 1, { ...step, steps: inner })
    }
    if ('data' in step) {
      const keys = Object.keys(step.data)
      const spared = step.do === 'update' && keys.length > 1 ? keys : []
      for (const key of spared) {
        const { [key]: _, ...data } = step.data
        yield steps.toSpliced(i, 1, { ...step, data } as Step)
      }
    }
  }
}
