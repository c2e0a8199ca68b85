// `plinth webhooks list|test|replay|adopt|drop`. The commands open the application without a server, and deliver nothing
// but trial events: a running server does.

import { randomUUID } from 'node:crypto'
import {
  ApplicationError,
  type CommandGroup,
  type CommandTools,
  type Kernel,
  suggestion,
  ValidationError,
} from '@plinth/kernel'
import type { As, Hook } from './hooks.ts'
import { lineOfV4, linesOfDead, linesOfHooks, listed } from './lines.ts'
import { none } from './outbox.ts'
import { requestOf } from './request.ts'
import type { Webhooks } from './service.ts'
import { forget, namedAs, readHooksOfV4, readStored, store, tableOfV4 } from './stored.ts'

/** v4's name of the event that tries a webhook. */
const trialEvent = 'trigger-test'

/** The characters of an answer that are printed. */
const maxShown = 500

/** The commands; `find` is given, because the plugin knows which webhooks belong to which kernel. */
export function webhookCommands(find: (kernel: Kernel) => Webhooks): CommandGroup {
  const withHooks =
    (work: (webhooks: Webhooks, tools: CommandTools) => Promise<void>) => async (tools: CommandTools) => {
      const webhooks = find(tools.kernel)
      await refuseWithoutTables(tools.kernel)
      await webhooks.load()
      await work(webhooks, tools)
    }
  return {
    description: 'webhooks of the application',
    commands: {
      list: {
        description: 'print the webhooks, and how much they have to send',
        options: {
          dead: { type: 'boolean', description: 'print the newest dead letters instead' },
          json: { type: 'boolean', description: 'print JSON' },
        },
        examples: ['plinth webhooks list --dead'],
        run: withHooks(list),
      },
      test: {
        description: "send v4's event trigger-test, and print the answer; the exit code is 1 if it is not delivered",
        words: ['name'],
        examples: ['plinth webhooks test site'],
        run: withHooks(test),
      },
      replay: {
        description: 'send dead letters again: all of a webhook, or one; a running server does it',
        words: ['name or id'],
        examples: ['plinth webhooks replay site', 'plinth webhooks replay 17'],
        run: withHooks(replay),
      },
      adopt: {
        description: 'take over the webhooks that v4 has stored, without changing its table; a start then calls them',
        words: ['name'],
        options: {
          role: {
            type: 'string',
            description: 'the role whose rights limit what is sent; by default callers without credentials',
          },
          token: { type: 'string', description: 'the API token whose rights limit what is sent' },
        },
        examples: [
          'plinth webhooks adopt                  # all of them',
          'plinth webhooks adopt Deploy --role editor',
        ],
        run: withHooks(adopt),
      },
      drop: {
        description: 'delete what waits for a webhook and its dead letters; forget one that was taken over',
        words: ['name'],
        examples: ['plinth webhooks drop site'],
        run: withHooks(drop),
      },
    },
  }
}

async function list({ hooks, outbox }: Webhooks, { options, print, remark }: CommandTools): Promise<void> {
  if (options.dead === true) {
    const letters = await outbox.deadLetters()
    if (options.json === true) print(JSON.stringify(letters, null, 2))
    else if (letters.length === 0) remark('There are no dead letters.')
    else for (const line of linesOfDead(letters)) print(line)
    return
  }
  const backlogs = await outbox.backlogs()
  const all = hooks.all.map(one => listed(one, backlogs.get(one.name) ?? none))
  if (options.json === true) print(JSON.stringify(all, null, 2))
  else if (all.length === 0) remark('There are no webhooks; config/plugins has them: webhooks.config.hooks.')
  else for (const line of linesOfHooks(all)) print(line)
  for (const [name, { waiting, dead }] of backlogs)
    if (hooks.get(name) === undefined)
      remark(
        `"${name}" is not configured, and has ${waiting} waiting and ${dead} dead; \`plinth webhooks drop ${name}\` deletes them`,
      )
}

async function test({ hooks, sender }: Webhooks, { words, print, remark }: CommandTools): Promise<void> {
  const hook = hookIn(hooks.all, wordOf(words, 'the name of the webhook'))
  const body = JSON.stringify({ event: trialEvent, createdAt: new Date().toISOString() })
  const outcome = await sender.send(requestOf(hook, { id: randomUUID(), event: trialEvent, body }))
  sender.close()
  if (outcome.fault !== null) {
    if (outcome.answer !== '') remark(plain(outcome.answer))
    throw new ApplicationError(`"${hook.name}" was not delivered: ${outcome.fault}`)
  }
  print(`"${hook.name}" answered with ${outcome.status}`)
  if (outcome.answer !== '') remark(plain(outcome.answer))
}

async function replay({ hooks, outbox }: Webhooks, { words, print }: CommandTools): Promise<void> {
  const word = wordOf(words, 'the name of a webhook, or the id of a dead letter,')
  const isId = /^\d{1,15}$/.test(word) && hooks.get(word) === undefined
  const count = await outbox.replay(isId ? { id: Number(word) } : { hook: hookIn(hooks.all, word).name })
  if (count === 0)
    throw new ApplicationError(isId ? `There is no dead letter ${word}` : `"${word}" has no dead letters`)
  print(`${count} ${count === 1 ? 'event waits' : 'events wait'} to be sent again.`)
}

async function adopt(
  { hooks }: Webhooks,
  { kernel, config, words, options, print, remark }: CommandTools,
): Promise<void> {
  const stored = await readHooksOfV4(kernel)
  if (stored.length === 0) throw new ApplicationError(`v4 has stored no webhooks: ${tableOfV4} is missing or empty`)
  const [word] = words
  const chosen = word === undefined ? stored : stored.filter(one => one.name === word)
  if (chosen.length === 0)
    throw new ApplicationError(
      `v4 has stored no webhook "${plain(word!)}"${suggestion(
        word!,
        stored.map(one => one.name),
      )}`,
    )
  const here = await readStored(kernel)
  const isHere = (url: string) => here.some(one => one.url === url)
  const takenNames = [...hooks.all, ...here].map(one => one.name)
  const fresh = chosen
    .filter(one => !isHere(one.url))
    .map(one => {
      const name = namedAs(one.name, takenNames)
      takenNames.push(name)
      return { ...one, name }
    })
  if (fresh.length === 0) throw new ApplicationError('All of them were taken over before')
  await store(kernel, fresh, callerIn(options))
  for (const one of fresh) print(`Took over ${lineOfV4(one)}`)
  const isOn = (config as { readonly stored?: unknown }).stored === true
  remark(
    isOn
      ? 'Servers call them from their next start on.'
      : 'They are called once config/plugins has webhooks.config.stored: true, from the next start on.',
  )
  remark('v4, if it still runs, calls them too.')
}

async function drop({ outbox }: Webhooks, { kernel, words, print }: CommandTools): Promise<void> {
  const name = wordOf(words, 'the name of the webhook')
  const wasStored = await forget(kernel, name)
  const count = await outbox.drop(name)
  if (!wasStored && count === 0)
    throw new ApplicationError(`"${plain(name)}" has nothing to send, and was not taken over`)
  print(`Deleted ${count} ${count === 1 ? 'event' : 'events'}${wasStored ? `, and the webhook "${plain(name)}"` : ''}.`)
}

function callerIn({ role, token }: CommandTools['options']): As {
  if (role !== undefined && token !== undefined) throw new ValidationError('--role and --token exclude each other')
  if (role !== undefined) return { role: String(role) }
  return token === undefined ? null : { token: String(token) }
}

function hookIn(hooks: readonly Hook[], name: string): Hook {
  const hook = hooks.find(one => one.name === name)
  if (hook !== undefined) return hook
  const names = hooks.map(one => one.name)
  throw new ApplicationError(`There is no webhook "${plain(name)}"${suggestion(name, names)}`)
}

/** The one word that a command takes. */
function wordOf([word, ...more]: readonly string[], what: string): string {
  if (word === undefined) throw new ValidationError(`${what} is missing`)
  if (more.length > 0) throw new ValidationError(`"${more.join(' ')}" is too much: ${what} is one word, or in quotes`)
  return word
}

/** A short text without control characters, which would act in a terminal. */
const plain = (text: string) => text.slice(0, maxShown).replaceAll(/\p{Cc}/gu, ' ')

async function refuseWithoutTables({ knex }: Kernel): Promise<void> {
  if (await knex.schema.hasTable('webhooks_outbox')) return
  throw new ApplicationError('The database has no tables of the plugin webhooks; start the server once')
}
