// Every language has the same messages, with the same values in them.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const folder = join(import.meta.dirname, '../../src/messages')

type Messages = { readonly [name: string]: string | Messages }

const flat = (messages: Messages, prefix = ''): readonly (readonly [string, string])[] =>
  Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${prefix}${name}`, value] as const] : flat(value, `${prefix}${name}.`),
  )

/** The names of values in a message: `{count, plural, …}` has `count`. */
const valuesIn = (text: string) => [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name))].sort()

const read = async (name: string) => new Map(flat(JSON.parse(await readFile(join(folder, name), 'utf8'))))

t.test('all languages have the messages of English', async t => {
  const english = await read('en.json')
  const names = (await readdir(folder)).filter(name => name !== 'en.json')
  t.ok(names.length > 0)
  for (const name of names) {
    const messages = await read(name)
    t.same([...messages.keys()], [...english.keys()], name)
    for (const [key, text] of messages) {
      t.same(valuesIn(text), valuesIn(english.get(key) ?? ''), `${name} ${key}`)
      t.not(text.trim(), '', `${name} ${key}`)
    }
  }
})

t.test('no text of a page stands in the code', async t => {
  const sources = join(folder, '..')
  const files = (await readdir(sources, { recursive: true })).filter(name => name.endsWith('.tsx'))
  const found: string[] = []
  for (const file of files) {
    const text = (await readFile(join(sources, file), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    for (const [, words] of text.matchAll(/[a-z"'}]>\s*([A-Za-z][^<>{}=;()]*[a-z])\s*<\/[a-zA-Z]/g))
      found.push(`${file}: ${words}`)
    for (const [, words] of text.matchAll(/(?:aria-label|placeholder|title|label)="([^"]*[A-Za-z][^"]*)"/g))
      found.push(`${file}: ${words}`)
  }
  t.same(found, [])
})
