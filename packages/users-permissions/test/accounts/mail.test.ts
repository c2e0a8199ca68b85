// What the providers of mails do with a mail: the log in development and in production, and nodemailer.

import type { Logger } from '@plinth/kernel'
import t from 'tap'
import { Mailer } from '../../src/accounts/mail/mailer.ts'
import { findProvider } from '../../src/accounts/mail/providers.ts'
import { resolveTemplate } from '../../src/accounts/mail/templates.ts'
import { accountsOf } from '../../src/index.ts'
import { start } from '../fixtures/accounts.ts'
import { postOffice } from '../fixtures/post-office.ts'

const byLog = { provider: 'log', providerOptions: {}, settings: {}, templates: {} }

/** What code prints on stderr by `console.error` until the test ends. */
function printed(t: { teardown(work: () => void): void }): string[] {
  const lines: string[] = []
  const { error } = console
  console.error = (...words: unknown[]) => void lines.push(words.join(' '))
  t.teardown(() => {
    console.error = error
  })
  return lines
}

t.test('the default prints a mail in development, so that its link can be followed', async t => {
  const lines = printed(t)
  const logged: string[] = []
  const keep = (_: unknown, message?: string) => void logged.push(String(message ?? _))
  const nothing = () => {}
  const log = { level: 'trace', info: keep, warn: keep, error: keep, debug: keep, trace: keep, fatal: nothing }
  const loggerInstance = { ...log, child: () => loggerInstance }
  const server = await start(t, {
    config: { email: {}, advanced: { email_reset_password: 'https://app.example.com/reset' } },
    fastify: { logger: undefined, loggerInstance },
    logger: undefined,
  })
  await server.user('ann')
  await server.post('auth/forgot-password', { email: 'ann@example.com' })
  await accountsOf(server.kernel).idle()
  t.equal(lines.length, 1)
  const code = /https:\/\/app\.example\.com\/reset\?code=([\da-f]+)/.exec(lines[0]!)?.[1]
  t.match(lines[0], /^Mail to ann@example\.com: Reset password\n/)
  t.ok(logged.length > 0)
  t.notMatch(logged.join('\n'), new RegExp(code!), 'the log does not have the code')
  const password = 'ann-new-secret'
  const reset = await server.post('auth/reset-password', { code, password, passwordConfirmation: password })
  t.equal(reset.status, 200, 'the printed code is the one that was sent')
})

t.test('in production it warns that nothing was sent, without a link or a code', async t => {
  const lines = printed(t)
  const warned: string[] = []
  const log = { warn: (message: string) => void warned.push(message) } as unknown as Logger
  const provider = await findProvider(byLog, { dir: '/', log, isProduction: true })
  const template = resolveTemplate('reset_password')
  const mailer = new Mailer({
    provider,
    settings: {},
    templates: { reset_password: template, email_confirmation: template },
  })
  const variables = { URL: 'https://app.example.com/reset', TOKEN: 'c0de', USER: { username: 'ann' } }
  await mailer.send('reset_password', 'ann@example.com', variables)
  t.same(lines, [], 'nothing is printed')
  t.same(warned, ['A mail to ann@example.com ("Reset password") was not sent: email.provider is "log"'])
})

t.test('nodemailer sends the mail to its server', async t => {
  const { received, port } = await postOffice(t)
  const server = await start(t, {
    config: {
      email: {
        provider: 'nodemailer',
        providerOptions: { host: '127.0.0.1', port, ignoreTLS: true },
        settings: { defaultFrom: 'Plinth <no-reply@example.com>', defaultReplyTo: 'help@example.com' },
        templates: { reset_password: { subject: 'For <%= USER.username %>', message: '<p>Code <%= TOKEN %>.</p>' } },
      },
    },
  })
  await server.user('änn', { email: 'ann@example.com' })
  t.strictSame((await server.post('auth/forgot-password', { email: 'nobody@example.com' })).body, { ok: true })
  t.strictSame((await server.post('auth/forgot-password', { email: 'ann@example.com' })).body, { ok: true })
  await accountsOf(server.kernel).idle()
  t.match(received, [{ from: 'no-reply@example.com', to: ['ann@example.com'] }])
  t.equal(received.length, 1)
  // Long lines are folded by "=" at their end.
  const text = received[0]!.text.replace(/=\r\n/g, '')
  t.match(text, /^From: Plinth <no-reply@example\.com>\r$/m)
  t.match(text, /^To: ann@example\.com\r$/m)
  t.match(text, /^Reply-To: help@example\.com\r$/m)
  t.match(text, /^Subject: =\?UTF-8\?Q\?For_=C3=A4nn/m)
  const [, plain] = /^Content-Type: text\/plain[\s\S]*?\r\n\r\nCode ([\da-f]{64,})\./m.exec(text) ?? []
  const [, html] = /^Content-Type: text\/html[\s\S]*?\r\n\r\n<p>Code ([\da-f]{64,})\.<\/p>/m.exec(text) ?? []
  t.ok(plain, 'as text')
  t.equal(html, plain, 'and as HTML')
  const password = 'ann-new-secret'
  const reset = await server.post('auth/reset-password', { code: plain, password, passwordConfirmation: password })
  t.equal(reset.status, 200, 'with the code that is valid')
  await t.resolves(server.app.close(), 'connections are closed with the server')
})
