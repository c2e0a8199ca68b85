// What the command asks at a terminal, which is played by streams, and its colours there.

import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { defineCommand } from 'citty'
import t, { type Test } from 'tap'
import { Failure } from '../src/failure.ts'
import { argumentOrAnswer } from '../src/generation/ask.ts'
import { usageOf, withExamples } from '../src/usage.ts'

/** Puts something in the place of a member of the process until the end of the test. */
function replaced(t: Test, name: 'stdin' | 'stderr', stream: object): void {
  const before = Object.getOwnPropertyDescriptor(process, name)!
  Object.defineProperty(process, name, { value: stream, configurable: true })
  t.teardown(() => Object.defineProperty(process, name, before))
}

/** A person who types this when the question is there. `isTTY`: which of both streams are terminals. */
function person(t: Test, typed: string, isTTY = { stdin: true, stderr: true }) {
  let shown = ''
  const input = Object.assign(new PassThrough(), { isTTY: isTTY.stdin, setRawMode: () => input })
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    const wasAsked = shown.includes('?')
    shown += stripVTControlCharacters(String(chunk))
    if (!wasAsked && shown.includes('?')) setImmediate(() => input.write(typed))
    done()
  }
  replaced(t, 'stdin', input)
  replaced(t, 'stderr', Object.assign(new Writable({ write }), { isTTY: isTTY.stderr, columns: 80 }))
  return () => shown
}

const [question, lacking] = ['In which API?', 'which API? Add --api <name>']

t.test('an answer', async t => {
  const shown = person(t, '  shop \r')
  t.equal(await argumentOrAnswer(undefined, question, lacking), 'shop')
  t.match(shown(), /^In which API\? /)
})

t.test('what is given is not asked', async t => {
  const shown = person(t, 'other\r')
  t.equal(await argumentOrAnswer('shop', question, lacking), 'shop')
  t.equal(shown(), '')
})

t.test('an empty answer', async t => {
  person(t, '\r')
  await t.rejects(argumentOrAnswer(undefined, question, lacking), new Failure(lacking))
})

t.test('a question that is ended by Ctrl+C or Ctrl+D', async t => {
  for (const key of ['\u0003', '\u0004']) {
    person(t, key)
    await t.rejects(argumentOrAnswer(undefined, question, lacking), new Failure(lacking))
  }
})

t.test('without a terminal', async t => {
  for (const isTTY of [
    { stdin: false, stderr: true },
    { stdin: true, stderr: false },
  ]) {
    const shown = person(t, 'shop\r', isTTY)
    await t.rejects(argumentOrAnswer(undefined, question, lacking), new Failure(lacking))
    t.equal(shown(), '', 'nobody would read the question')
  }
})

t.test('colours of the usage text', async t => {
  const command = withExamples(defineCommand({ meta: { name: 'plan' } }), ['\u001b[1mplinth plan\u001b[22m'])
  const [isTTY, noColor] = [process.stdout.isTTY, process.env.NO_COLOR]
  t.teardown(() => {
    process.stdout.isTTY = isTTY
    if (noColor === undefined) delete process.env.NO_COLOR
    else process.env.NO_COLOR = noColor
  })
  process.stdout.isTTY = true
  delete process.env.NO_COLOR
  t.match(await usageOf(command, ['plinth', 'plan']), '\u001b[1mplinth plan', 'at a terminal')
  process.env.NO_COLOR = '1'
  t.notMatch(await usageOf(command, ['plinth', 'plan']), '\u001b', 'NO_COLOR')
  delete process.env.NO_COLOR
  process.stdout.isTTY = false
  t.notMatch(await usageOf(command, ['plinth', 'plan']), '\u001b', 'elsewhere')
})
