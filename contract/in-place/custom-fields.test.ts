/**
 * A v4 database whose scalar attributes are custom fields that nobody knows is answered as if they were plain attributes:
 * by the columns that v4 made. The plan has no step, and what is written is answered in the same way.
 */

import { readFile } from 'node:fs/promises'
import { loadModel } from '@plinth/kernel'
import { planMigrations } from '@plinth/kernel/migrate'
import { createServer } from '@plinth/server'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project, suitesOf } from '@plinth/test-tools/recordings'
import type { Test } from 'tap'
import { divide, foreignNames, type RecordedStep } from './omitted.ts'
import { plugins } from './plugins.ts'

type Schema = { readonly attributes: Readonly<Record<string, { readonly type: string }>> }

/** Types that a column tells; it does not tell those that give a value another form than their column has. */
const told = ['string', 'text', 'richtext', 'email', 'integer', 'biginteger', 'float', 'decimal', 'boolean']
const alsoTold = ['date', 'time', 'datetime', 'json', 'blocks']

/** The schema with custom fields in the place of its scalar attributes. */
function withFields(schema: Schema): Schema {
  const attributes = Object.entries(schema.attributes).map(([name, one]) => {
    const isTold = told.includes(one.type) || alsoTold.includes(one.type)
    return [name, isTold ? { ...one, type: 'customField', customField: `plugin::own.${one.type}` } : one]
  })
  return { ...schema, attributes: Object.fromEntries(attributes) }
}

/** The model of the project, whose schemas pass `change`. */
async function modelOf(change: (schema: Schema) => Schema) {
  const { contentTypes, components } = await loadModel(project, { runs: false })
  return {
    contentTypes: contentTypes.map(one => ({ ...change(one.schema as Schema), uid: one.uid })),
    components: Object.fromEntries(components.map(one => [one.uid, change(one.schema as Schema)])),
  }
}

const specimen = {
  short: 'custom',
  long: 'a long text',
  mail: 'a@b.example',
  day: '2024-02-29',
  clock: '12:30:00.000',
  moment: '2024-02-29T10:00:00.000Z',
  whole: 7,
  big: '9007199254740993',
  ratio: 0.5,
  amount: 12.25,
  flag: true,
  payload: { a: [1, { b: null }] },
}

await onEach('a v4 database with custom fields', async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  const [reads] = suitesOf(client)
  const { steps } = JSON.parse(await readFile(reads!, 'utf8')) as { steps: RecordedStep[] }
  const { replayed } = divide(steps, await foreignNames(project))
  const serve = async (t: Test, change: (schema: Schema) => Schema) => {
    const app = await createServer({
      ...(await modelOf(change)),
      database: database.config,
      plugins,
      logger: false,
    })
    try {
      const answers = new Map<string, string>()
      for (const { request } of replayed) {
        const { statusCode, body } = await app.inject({ method: 'GET', url: request.path })
        answers.set(request.path, `${statusCode} ${body}`)
      }
      const plan = await planMigrations(app.kernel)
      t.same(
        plan.steps.filter(step => step.kind !== 'drop'),
        [],
      )
      const created = await app.inject({ method: 'POST', url: '/api/specimens', payload: { data: specimen } })
      t.match(created.json().data.attributes, specimen)
      const { id } = created.json().data
      const query = Object.entries({ short: 'custom', whole: 7, big: '9007199254740993', flag: true, amount: 12.25 })
        .map(([name, value]) => `filters[${name}]=${value}`)
        .join('&')
      const found = await app.inject(`/api/specimens?${query}&filters[moment][$lt]=2024-03-01&sort=day:desc`)
      t.equal(found.json().data[0]?.id, id)
      await app.inject({ method: 'DELETE', url: `/api/specimens/${id}` })
      return { answers, settled: app.kernel.customFields.settled }
    } finally {
      await app.close()
    }
  }
  const plain = await serve(t, schema => schema)
  const custom = await serve(t, withFields)
  t.same(plain.settled, [])
  t.ok(custom.settled.length > 60, `${custom.settled.length} fields`)
  t.ok(custom.settled.every(one => one.isGuessed))
  t.ok(replayed.length > 100)
  const others = [...plain.answers].filter(([path, answer]) => custom.answers.get(path) !== answer)
  t.same(
    others.map(([path]) => path),
    [],
    'the same answers',
  )
})
