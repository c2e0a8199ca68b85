// The questions at a terminal, which is played by streams.

import { PassThrough, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { flagsOf } from '../src/flags.ts'
import { answersFor } from '../src/questions.ts'
import { Refusal } from '../src/refusal.ts'

const [enter, down, space, interrupt, end] = ['\r', '\u001b[B', ' ', '\u0003', '\u0004']

/** A person who presses the keys of each answer when its question is there. */
function person(answers: readonly (readonly [RegExp, readonly string[]])[]) {
  let shown = ''
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        shown += stripVTControlCharacters(String(chunk))
        done()
      },
    }),
    { isTTY: true, columns: 80, rows: 40 },
  )
  const answering = async () => {
    for (const [question, keys] of answers) {
      for (let waited = 0; !question.test(shown) && waited < 5000; waited += 10) await delay(10)
      for (const key of keys) {
        input.write(key)
        await delay(30)
      }
    }
  }
  return { terminal: { input, output }, answering, text: () => shown }
}

t.test('four questions', async t => {
  const { terminal, answering, text } = person([
    [/In which folder\?/, [...'library', enter]],
    [/In which language\?/, [down, enter]],
    [/Which database\?/, [down, down, enter]],
    [/Which plugins\?/, [space, enter]],
  ])
  const [answers] = await Promise.all([answersFor(flagsOf([]), terminal), answering()])
  t.same(answers, {
    folder: 'library',
    language: 'js',
    database: 'mysql',
    plugins: ['users-permissions', 'upload', 'draft-publish', 'custom-fields'],
  })
  t.match(text(), /A new Plinth application/)
})

t.test('enter takes the defaults, and what is given is not asked', async t => {
  const { terminal, answering, text } = person([
    [/In which folder\?/, [enter]],
    [/In which language\?/, [enter]],
    [/Which plugins\?/, [enter]],
  ])
  const [answers] = await Promise.all([answersFor(flagsOf(['--database', 'postgres']), terminal), answering()])
  t.same(answers, {
    folder: 'my-plinth',
    language: 'ts',
    database: 'postgres',
    plugins: ['graphql', 'users-permissions', 'upload', 'draft-publish', 'custom-fields'],
  })
  t.notMatch(text(), /Which database/)
})

t.test('Ctrl+C', async t => {
  const { terminal, answering } = person([[/In which folder\?/, [interrupt]]])
  await Promise.all([t.rejects(answersFor(flagsOf([]), terminal), new Refusal('nothing was made')), answering()])
})

t.test('with --yes nothing is asked', async t => {
  const { terminal, text } = person([])
  t.match(await answersFor(flagsOf(['--yes']), terminal), { folder: 'my-plinth', database: 'sqlite' })
  t.equal(text(), '')
})

t.test('Ctrl+D at each question', async t => {
  const questions = [/In which folder\?/, /In which language\?/, /Which database\?/, /Which plugins\?/]
  for (const at of questions.keys()) {
    const keys = questions.slice(0, at + 1).map((question, i) => [question, [i === at ? end : enter]] as const)
    const { terminal, answering } = person(keys)
    await Promise.all([t.rejects(answersFor(flagsOf([]), terminal), new Refusal('nothing was made')), answering()])
  }
})
