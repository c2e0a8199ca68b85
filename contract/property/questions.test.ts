/**
 * Random questions about random content, answered by Plinth and by the naive model: the same entries in the same
 * order, the same page. PLINTH_CASES sets how many, PLINTH_SEED repeats a run.
 */
import { createKernel, type Kernel } from '@plinth/kernel'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { databaseFile } from '../boot.ts'
import { answer, type Question } from './answer.ts'
import { build, type Library, plans } from './library.ts'
import { components, contentTypes, shapes, uids } from './model.ts'
import { questions } from './questions.ts'

const cases = Number(process.env.PLINTH_CASES ?? 10_000)
const seed = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
/** Content differs from round to round; a round is small enough to shrink a failure in. */
const rounds = Math.max(1, Math.ceil(cases / 1000))

const toParams = ({ filters, sort, pagination }: Question) => ({
  filters,
  sort: sort.map(({ path, descending }) => `${path.join('.')}:${descending ? 'desc' : 'asc'}`),
  pagination,
})

async function openLibrary(t: Test, round: number): Promise<{ kernel: Kernel; library: Library }> {
  const connection = { filename: await databaseFile(t) }
  const kernel = await createKernel({ database: { client: 'sqlite', connection }, contentTypes, components })
  t.teardown(() => kernel.close())
  const [plan] = fc.sample(plans, { numRuns: 1, seed: seed + round })
  const library = await build(plan!, {
    create: (uid, data) => kernel.query(uid).create(data) as Promise<{ id: number }>,
  })
  return { kernel, library }
}

t.test(`${cases} questions, PLINTH_SEED=${seed}`, { timeout: 600_000 }, async t => {
  for (let round = 0; round < rounds; round++) {
    const { kernel, library } = await openLibrary(t, round)
    for (const [root, rows] of Object.entries(library)) {
      const entries = await kernel.query(uids[root as keyof typeof uids]).findMany({ sort: 'id' })
      const names = Object.keys(shapes[root as keyof typeof shapes].scalars)
      const stored = entries.map(entry =>
        Object.fromEntries(names.map(name => [name, (entry as Record<string, unknown>)[name]])),
      )
      t.same(
        stored,
        rows.map(({ values }) => values),
        `round ${round}: ${root} is stored as written`,
      )
    }
    const property = fc.asyncProperty(questions('kernel'), async question => {
      const page = await kernel.query(uids[question.root]).findPage(toParams(question))
      const found = { ids: page.entries.map(({ id }) => id), pagination: page.pagination }
      const expected = answer(question, library[question.root])
      if (fc.stringify(found) !== fc.stringify(expected)) {
        throw new Error(`Plinth answers ${fc.stringify(found)}, expected ${fc.stringify(expected)}`)
      }
    })
    await fc.assert(property, { numRuns: Math.ceil(cases / rounds), seed: seed + round })
    t.pass(`round ${round}`)
  }
})
