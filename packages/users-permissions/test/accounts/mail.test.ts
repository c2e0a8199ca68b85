// The mails of accounts without the plugin email, and by nodemailer.

import type {} from '@plinth/email'
import t from 'tap'
import { faultsOfTemplate, resolveTemplate } from '../../src/accounts/mail-templates.ts'
import { accountsOf } from '../../src/index.ts'
import { start } from '../fixtures/accounts.ts'
import { postOffice } from '../fixtures/post-office.ts'

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
    mails: null,
    config: { advanced: { email_reset_password: 'https://app.example.com/reset' } },
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

t.test('without the plugin email, code sends mails in the same way', async t => {
  const lines = printed(t)
  const { kernel } = await start(t, { mails: null })
  await kernel.plugin('email').service('email').send({ to: 'ann@example.com', subject: 'Hello', text: 'A line.' })
  t.same(lines, ['Mail to ann@example.com: Hello\nA line.'])
})

t.test('nodemailer sends the mail to its server', async t => {
  const { received, port } = await postOffice(t)
  const server = await start(t, {
    mails: {
      provider: 'nodemailer',
      providerOptions: { host: '127.0.0.1', port, ignoreTLS: true },
      settings: { defaultFrom: 'Plinth <no-reply@example.com>', defaultReplyTo: 'help@example.com' },
    },
    config: {
      email: {
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

t.test('variables that no mail has are named', t => {
  for (const name of ['reset_password', 'email_confirmation'] as const)
    t.same(faultsOfTemplate(name, resolveTemplate(name)), [], "v4's texts")
  const message = '<a href="<%= URLL %>?code=<%= CODE %>"><%= USER.username %></a> <%- SERVER_URL %>'
  t.same(faultsOfTemplate('reset_password', resolveTemplate('reset_password', { message })), [
    'the mail reset_password has no variable "URLL", which stays empty, did you mean "URL"?',
    'the mail reset_password has no variable "CODE", which stays empty',
  ])
  t.end()
})

t.test('a start warns of variables that no mail has', async t => {
  const warnings: string[] = []
  const write = (line: string) => void warnings.push(JSON.parse(line).msg)
  const templates = { email_confirmation: { subject: 'For <%= USER.usernam %>' } }
  await start(t, { config: { email: { templates } }, logger: { level: 'warn', stream: { write } } })
  t.match(warnings, [
    'users-permissions: the mail email_confirmation has no variable "USER.usernam", which stays empty, did you mean "USER.username"?',
  ])
})
