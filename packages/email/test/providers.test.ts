// Finds providers: the log, one of v4's packages, a module of the application, and those that cannot be used.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Logger } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { defaultConfig } from '../src/config.ts'
import { findProvider } from '../src/providers.ts'

const silent = { info() {}, warn() {}, error() {} } as Logger
const tools = { dir: import.meta.dirname, log: silent, isProduction: false }

async function application(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-email-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}

/** A provider in the form of v4's: CommonJS, and the settings are what it returns. */
const provider = `module.exports = { init: (options, settings) => ({ send: async mail => ({ options, settings, mail }) }) }`

t.test('in production the log warns that nothing was sent, without a link or a code', async t => {
  const printed: string[] = []
  const { error } = console
  console.error = (...words: unknown[]) => void printed.push(words.join(' '))
  t.teardown(() => {
    console.error = error
  })
  const warned: string[] = []
  const log = { ...silent, warn: (message: string) => void warned.push(message) } as Logger
  const mail = { to: 'ann@example.com', subject: 'Reset password', text: 'https://app.example.com/reset?code=c0de' }
  await (await findProvider(defaultConfig, { ...tools, log, isProduction: true })).send(mail)
  t.same(printed, [], 'nothing is printed')
  t.same(warned, ['A mail to ann@example.com ("Reset password") was not sent: email.config.provider is "log"'])
  await (await findProvider(defaultConfig, { ...tools, log })).send({ ...mail, to: [{ address: 'a@b.c' }] })
  t.same(printed, ['Mail to [{"address":"a@b.c"}]: Reset password\nhttps://app.example.com/reset?code=c0de'])
})

t.test('a provider of v4 is found by its name, as in v4', async t => {
  const dir = await application(t, {
    'node_modules/@strapi/provider-email-pigeon/index.js': provider,
    'node_modules/strapi-provider-email-raven/index.js': provider,
    'node_modules/owls/index.js': provider,
    'mails/own.js': provider,
  })
  const providerOptions = { apiKey: 'key' }
  const settings = { defaultFrom: 'a@b.c', testAddress: 't@b.c' }
  for (const name of [
    'pigeon',
    'Pigeon',
    '@strapi/provider-email-pigeon',
    'raven',
    'owls',
    './mails/own',
    './mails/own.js',
  ]) {
    const provider = await findProvider({ provider: name, providerOptions, settings }, { ...tools, dir })
    t.strictSame(
      await provider.send({ to: 'x@y.z' }),
      { options: providerOptions, settings, mail: { to: 'x@y.z' } },
      name,
    )
  }
})

t.test("v4's provider for nodemailer is nodemailer itself", async t => {
  for (const name of ['nodemailer', '@strapi/provider-email-nodemailer', 'strapi-provider-email-nodemailer']) {
    const config = { ...defaultConfig, provider: name, providerOptions: { jsonTransport: true } }
    const provider = await findProvider(config, tools)
    const mail = { to: 'x@y.z', from: 'a@b.c', subject: 'Hello', text: 'A line.' }
    t.match(await provider.send(mail), { envelope: { from: 'a@b.c', to: ['x@y.z'] } }, name)
    provider.close?.()
  }
})

t.test('providers that cannot be used', async t => {
  const dir = await application(t, {
    'empty.js': '',
    'formless.js': 'module.exports = { init: () => ({}) }',
  })
  const open = (name: string) => findProvider({ ...defaultConfig, provider: name }, { ...tools, dir })
  const place = 'config/plugins: email.config.provider: '
  await t.rejects(open('./nowhere'), { code: 'PLINTH_CONFIG_INVALID', message: `${place}"./nowhere" was not found` })
  await t.rejects(open('@no/such'), { message: `${place}"@no/such" was not found: npm install @no/such` })
  await t.rejects(open('sendgrid'), {
    message: `${place}"sendgrid" was not found: npm install @strapi/provider-email-sendgrid`,
  })
  await t.rejects(open('nodemailr'), { message: `${place}"nodemailr" was not found, did you mean "nodemailer"?` })
  await t.rejects(open('./empty.js'), { message: `${place}"./empty.js" has no function init in its default export` })
  await t.rejects(open('./formless.js'), {
    message: `${place}init of "./formless.js" returns no object with a function send`,
  })
})
