// The options of a type (B-10.4): switches are switches, and private names name something.

import t, { type Test } from 'tap'
import { createKernel } from '../src/index.ts'
import { boot, folder, notes, thrown, type, uid } from './fixtures/boot.ts'

const note = (options: object) => type('note', { text: { type: 'string' }, secret: { type: 'string' } }, { options })

async function faultOf(t: Test, options: object): Promise<string> {
  return (await thrown(t, () => boot(t, { file: ':memory:', contentTypes: [note(options)] }))).message
}

t.test('what is no option stops the start', async t => {
  const at = 'api::note.note: options.'
  const rows: readonly (readonly [options: object, words: string])[] = [
    [{ privateAttributes: 'secret' }, 'privateAttributes: must be a list of attributes\' names, found "secret"'],
    [
      { privateAttributes: ['secret', 5] },
      'privateAttributes: must be a list of attributes\' names, found ["secret",5]',
    ],
    [{ privateAttributes: { secret: true } }, 'privateAttributes: must be a list'],
    [
      { privateAttributes: ['text', 'secrte'] },
      'privateAttributes.1: api::note.note has no attribute "secrte", did you mean "secret"?',
    ],
    [{ privateAttributes: ['createdat'] }, 'privateAttributes.0: api::note.note has no attribute "createdat", did you'],
    [{ privateAtributes: ['secret'] }, 'privateAtributes: unknown option, did you mean "privateAttributes"?'],
    [{ draftAndPublish: 'true' }, 'draftAndPublish: must be true or false'],
    [{ populateCreatorFields: 1 }, 'populateCreatorFields: must be true or false'],
  ]
  for (const [options, words] of rows) t.equal((await faultOf(t, options)).slice(0, (at + words).length), at + words)
})

t.test('names of the system and of nothing do not', async t => {
  const log = notes()
  const privateAttributes = ['secret', 'id', 'createdBy', 'publishedAt', 'localizations', 'formerlyHere']
  const options = { privateAttributes, draftAndPublish: null, comment: '', increments: true }
  const kernel = await boot(t, { logger: log, contentTypes: [note(options)] })
  // Those of a plugin that is off are like those of nothing.
  const nothing = ['publishedAt', 'localizations', 'formerlyHere'].map((name, i) => {
    const place = `api::note.note: options.privateAttributes.${i + 3}`
    return `${place}: api::note.note has no attribute "${name}"; nothing is hidden by it`
  })
  t.same(log.warnings, nothing)
  t.ok(kernel.contentTypes.require(uid('note')).attributes.get('secret')!.private)
})

t.test('nor does config/api spread a text into letters', async t => {
  const dir = await folder(t, { 'config/api.json': { responses: { privateAttributes: 'secret' } } })
  const { message } = await thrown(t, () => createKernel({ dir, database: { connection: { filename: ':memory:' } } }))
  t.equal(message, 'config/api: responses.privateAttributes: must be a list of attributes\' names, found "secret"')
})
