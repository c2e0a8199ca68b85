// The tour in the README: its commands are run in a shell, and each must print what the README says.

import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import t from 'tap'
import { dir, openExample } from './fixtures/example.ts'

interface Stop {
  title: string
  command: string
  /** What is printed below the command: JSON, or a text. */
  answer: unknown
}

/** Reads the steps of the tour: numbered headings, with commands in `sh` blocks that are each followed by the answer. */
export function parseTour(markdown: string): Stop[] {
  const [tour] = markdown.split(/^## (?!\d+\. )/m)
  return tour!
    .split(/^## (?=\d+\. )/m)
    .slice(1)
    .flatMap(section => {
      const title = section.slice(0, section.indexOf('\n'))
      const blocks = section.matchAll(/```sh\n([\s\S]*?)```\s+(?:```(json|text)\n([\s\S]*?)```)?/g)
      return [...blocks].map(([, command, language, text]) => {
        if (text === undefined) throw new Error(`${title}: a command without an answer`)
        return { title, command: command!, answer: language === 'json' ? parseAnswer(text) : text }
      })
    })
}

/** JSON, in which `…` also stands for a whole number or text. */
const parseAnswer = (text: string): unknown => JSON.parse(text.replaceAll(/: …(?=[,\n])/g, ': "…"'))

/** The value with those texts shortened by `…` that the README shortens. */
function shorten(value: unknown, shown: unknown): unknown {
  if (shown === '…' && typeof value === 'number') return shown
  if (typeof value === 'string' && typeof shown === 'string') {
    const parts = shown.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return parts.length > 1 && new RegExp(`^${parts.join('[\\s\\S]+')}$`).test(value) ? shown : value
  }
  if (typeof value !== 'object' || value === null || typeof shown !== 'object' || shown === null) return value
  if (Array.isArray(value)) return value.map((one, i) => shorten(one, (shown as unknown[])[i]))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, shorten(one, (shown as Record<string, unknown>)[key])]),
  )
}

/** A shell in the folder of the application, whose variables stay from one command to the next. */
function openShell(address: string) {
  const variables: Record<string, string> = {}
  const path = [`${dir}node_modules/.bin`, dirname(process.execPath), process.env.PATH].join(delimiter)
  return async (command: string): Promise<string> => {
    const local = command
      .replaceAll('http://localhost:1337', address)
      .replaceAll('npx pnpm@10 --filter example exec ', '')
    const set = [...command.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!)
    const tell = set.map(name => `echo "$${name}" >&3`).join('\n')
    const env = { ...process.env, ...variables, PATH: path }
    const { printed, told } = await new Promise<{ printed: string; told: string }>((resolve, reject) => {
      execFile('sh', ['-c', `exec 3>&2\n${local}\n${tell}`], { cwd: dir, env }, (error, printed, told) =>
        error === null ? resolve({ printed, told }) : reject(new Error(`${command}\n${told}`, { cause: error })),
      )
    })
    const values = told.trimEnd().split('\n').slice(-set.length)
    for (const [i, name] of set.entries()) variables[name] = values[i]!
    return printed
  }
}

const inOrder = (answer: unknown) => JSON.stringify(answer, null, 2)

const tour = parseTour(readFileSync(`${dir}README.md`, 'utf8'))

// The tests need nothing but Node, so they do without the tour where its commands are missing.
const isMissing = ['sh', 'curl'].some(name => spawnSync(name, ['--version']).error !== undefined)

t.test('the tour', { skip: isMissing && 'there is no sh or no curl' }, async t => {
  const { app, close } = await openExample()
  t.teardown(close)
  const run = openShell(await app.listen({ port: 0, host: '127.0.0.1' }))
  t.equal(new Set(tour.map(stop => stop.title)).size, 27, 'it has twenty-seven steps')
  // One after the other, because later steps depend on earlier ones.
  for (const { title, command, answer } of tour) {
    const printed = await run(command)
    const got = shorten(typeof answer === 'string' ? printed : JSON.parse(printed), answer)
    t.strictSame(got, answer, title)
    // The order of keys belongs to the format as well (B-3.3), and tap ignores it when it compares objects.
    t.equal(inOrder(got), inOrder(answer), `${title}: its keys in their order`)
  }
})
