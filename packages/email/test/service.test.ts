// The service `email`: what is sent, by which settings, and what is refused (security.md rows 21 and 22).

import { createKernel, type KernelOptions } from '@plinth/kernel'
import { freshDatabase } from '@plinth/test-tools/databases'
import { processorSince } from '@plinth/test-tools/processor'
import t, { type Test } from 'tap'
import { defaultConfig } from '../src/config.ts'
import email, { type Mail, type MailProvider, provideEmail } from '../src/index.ts'
import { Mails } from '../src/service.ts'
import { fill, withoutTags } from '../src/templates.ts'

/** Mails that are kept instead of being sent. */
function kept(settings = {}) {
  const sent: Mail[] = []
  let isClosed = false
  const provider: MailProvider = {
    send: async mail => sent.push(mail),
    close: () => {
      isClosed = true
    },
  }
  let opened = 0
  const mails = new Mails({ ...defaultConfig, settings }, async () => {
    opened++
    return provider
  })
  return { mails, sent, opened: () => opened, isClosed: () => isClosed }
}

t.test('a mail has the default addresses, and what else the provider takes', async t => {
  const { mails, sent, opened } = kept({ defaultFrom: 'a@b.c', defaultReplyTo: 'help@b.c' })
  t.equal(
    await mails.send({ to: 'x@y.z', subject: 'Hello', text: 'A line.' }),
    1,
    'resolves to what the provider returns',
  )
  await mails.send({
    to: ['x@y.z', { name: 'Ann', address: 'ann@y.z' }],
    from: 'own@b.c',
    attachments: [{ path: 'a.pdf' }],
  })
  t.strictSame(sent, [
    { to: 'x@y.z', subject: 'Hello', text: 'A line.', from: 'a@b.c', replyTo: 'help@b.c' },
    {
      to: ['x@y.z', { name: 'Ann', address: 'ann@y.z' }],
      from: 'own@b.c',
      attachments: [{ path: 'a.pdf' }],
      replyTo: 'help@b.c',
    },
  ])
  t.equal(opened(), 1, 'the provider is opened once')
  t.match(mails.getProviderSettings(), { provider: 'log', settings: { defaultFrom: 'a@b.c' } })
})

t.test('a provider that was never needed is not opened to be closed', async t => {
  const { mails, opened, isClosed } = kept()
  await mails.close()
  t.equal(opened(), 0)
  await mails.open()
  await mails.close()
  t.equal(isClosed(), true)
})

t.test('security.md row 21: values are escaped in HTML', async t => {
  const { mails, sent } = kept()
  const template = { subject: 'For <%= NAME %>', text: '<%= NAME %>', html: '<p><%= NAME %></p>' }
  await mails.sendTemplatedEmail({ to: 'x@y.z' }, template, { NAME: '<img onerror="x">' })
  t.match(sent, [
    { subject: 'For <img onerror="x">', html: '<p>&lt;img onerror=&quot;x&quot;&gt;</p>', text: '<img onerror="x">' },
  ])
  await t.rejects(mails.sendTemplatedEmail({ to: 'x@y.z' }, { subject: 'x', html: 'y' } as never, {}), {
    message: 'Following attributes are missing from your email template : text',
  })
})

t.test('security.md row 22: a line break in a header is refused', async t => {
  const { mails, sent } = kept()
  const template = { subject: 'For <%= NAME %>', text: 'x', html: 'x' }
  const templated = mails.sendTemplatedEmail({ to: 'x@y.z' }, template, { NAME: 'a\r\nBcc: b@c.d' })
  await t.rejects(templated, { name: 'ValidationError', message: "A mail's subject contains a line break" })
  for (const header of ['to', 'from', 'cc', 'bcc', 'replyTo', 'subject']) {
    const values = ['a\nb', ['ok', 'a\rb'], [{ name: 'a\0b', address: 'a@b.c' }]]
    for (const value of values)
      await t.rejects(mails.send({ to: 'x@y.z', [header]: value }), {
        message: `A mail's ${header} contains a line break`,
      })
  }
  await t.rejects(kept({ defaultFrom: 'a\nb' }).mails.send({ to: 'x@y.z' }), /from contains a line break/)
  t.same(sent, [])
})

t.test('security.md row 21: templates look variables up and evaluate nothing (CVE-2023-22621)', async t => {
  const variables = { URL: 'u', USER: { username: '<b>' }, N: 5, NOTHING: null }
  const cases: Record<string, string> = {
    '<%= URL %>-<%=URL%>-<%- URL %>': 'u-u-u',
    '<%= USER.username %>': '<b>',
    '<%= N %><%= NOTHING %><%= MISSING %><%= USER %><%= USER.username.length %>': '5',
    '<%= process.env.PATH %><%= constructor %><%= USER.__proto__ %><%= USER.constructor.name %>': '',
    '<% global.process.exit() %>': '<% global.process.exit() %>',
    '<%= 7*7 %>': '',
  }
  const braces = '$'.concat('{7*7}')
  cases[braces] = braces
  for (const [text, expected] of Object.entries(cases)) t.equal(fill(text, variables), expected, text)
  const began = process.cpuUsage()
  fill('<%='.repeat(100_000), variables)
  withoutTags('<'.repeat(100_000))
  t.ok(processorSince(began) < 1000, 'in linear time')
})

async function open(t: Test, options: Partial<KernelOptions>) {
  const database = await freshDatabase('sqlite')
  t.teardown(() => database.drop())
  const kernel = await createKernel({ database: database.config, ...options })
  t.teardown(() => kernel.close())
  return kernel
}

t.test('applications find the service by its name, as in v4', async t => {
  const config = {
    provider: 'nodemailer',
    providerOptions: { jsonTransport: true },
    settings: { defaultFrom: 'a@b.c' },
  }
  const kernel = await open(t, { plugins: { email: { plugin: email, config } } })
  const service = kernel.plugin('email').service('email')
  t.match(await service.send({ to: 'x@y.z', text: 'x' }), { envelope: { from: 'a@b.c', to: ['x@y.z'] } })
  t.match(service.getProviderSettings(), config)
})

t.test('settings that the plugin does not know, and a provider that is missing, stop the start', async t => {
  const start = (config: object) => open(t, { plugins: { email: { plugin: email, config: config as never } } })
  await t.rejects(start({ provder: 'x' }), /email\.config\.provder: is not known, did you mean "provider"\?/)
  await t.rejects(start({ provider: './nowhere' }), /email\.config\.provider: "\.\/nowhere" was not found/)
})

t.test('a plugin that sends mails provides the service if the application does not', async t => {
  const kernel = await open(t, {
    configure: kernel => {
      const mails = provideEmail(kernel)
      t.equal(kernel.services.find('email', 'email'), mails)
    },
  })
  t.match(kernel.plugin('email').service('email').getProviderSettings(), { provider: 'log' })
})
