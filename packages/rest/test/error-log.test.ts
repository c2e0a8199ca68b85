// The log of errors that code of plugins throws: the client gets a plain 500, the log the plugin and the hook.

import { PassThrough } from 'node:stream'
import { definePlugin, type LifecycleEvent, openAccess, Type } from '@plinth/kernel'
import { plainLog } from '@plinth/server'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { start } from './fixtures/boot.ts'

const lamp = definePlugin({
  name: 'lamp',
  register: ({ kernel }) =>
    kernel.hooks.on('preWrite', () => {
      throw new RangeError('too dark')
    }),
})

t.test('the log names the plugin of a 500, and the answer does not', async t => {
  const stream = new PassThrough()
  const plugins = { lamp: { plugin: lamp } }
  const { app } = await start(t, { plugins, logger: { level: 'error', stream } })
  const answer = await app.inject({ method: 'POST', url: '/api/tags', payload: { data: {} } })
  const error = { status: 500, name: 'InternalServerError', message: 'Internal Server Error' }
  t.strictSame([answer.statusCode, answer.json()], [500, { data: null, error }])
  t.match(JSON.parse(String(stream.read())), {
    msg: 'plugin lamp: hook preWrite: too dark',
    err: { type: 'RangeError', message: 'too dark', plugin: 'lamp', hook: 'preWrite' },
  })
})

t.test('the plain log names the plugin once', async t => {
  const lines: string[] = []
  const { write } = process.stderr
  t.teardown(() => {
    process.stderr.write = write
  })
  process.stderr.write = ((text: string) => lines.push(text) > 0) as typeof write
  const err = { message: 'too dark', stack: 'RangeError: too dark\n  at x', plugin: 'lamp', hook: 'preWrite' }
  const { stream } = plainLog()
  for (const msg of [
    'plugin lamp: hook preWrite: too dark',
    'too dark',
    'A function that runs after the commit failed',
  ])
    stream.write(JSON.stringify({ level: 50, msg, err }))
  process.stderr.write = write
  t.same(lines, [
    'error: plugin lamp: hook preWrite: RangeError: too dark\n  at x\n',
    'error: plugin lamp: hook preWrite: RangeError: too dark\n  at x\n',
    'error: plugin lamp: hook preWrite: A function that runs after the commit failed: RangeError: too dark\n  at x\n',
  ])
})

const fail = (): never => {
  throw new RangeError('too dark')
}

const shade = definePlugin({
  name: 'shade',
  register({ kernel }) {
    const parameter = { schema: Type.String(), for: () => true, actions: ['find'], depth: 'root' } as const
    kernel.parameters.add({ ...parameter, name: 'shaped', shape: fail, plan: () => {} })
    kernel.parameters.add({ ...parameter, name: 'planned', shape: () => '', plan: fail })
    kernel.parameters.add({
      ...parameter,
      name: 'refused',
      shape: () => '',
      plan: () => {},
      schema: Type.Never(),
      refuse: fail,
    })
    kernel.operators.add({ name: '$bright', operand: 'one', sql: column => `${column} > ?`, encode: fail })
    kernel.operators.add({ name: '$dark', operand: 'one', sql: fail })
    kernel.attributeTypes.add('checked', { storage: 'string', family: 'text', check: fail })
    kernel.attributeTypes.add('prepared', { storage: 'string', family: 'text', prepare: async () => fail() })
    kernel.auth.use({
      name: 'candle',
      authenticate: ({ headers }) => (headers.authorization === 'Candle' ? fail() : openAccess),
    })
    const failsFor = (name: string) => (event: LifecycleEvent) => {
      const { data } = event.params as { data: { name?: string } }
      if (data.name === name) fail()
    }
    kernel.lifecycles.subscribe(['api::lamp.lamp'], { beforeCreate: failsFor('before') })
    kernel.lifecycles.subscribe(null, { afterCreate: async (event: LifecycleEvent) => failsFor('after')(event) })
    kernel.hooks.on('preWrite', async write => {
      if (write.data.name === 'inner') await kernel.query('api::lamp.lamp').create({ data: { checked: 'x' } })
    })
  },
})

t.test('errors of parameters, operators, attribute types, strategies and lifecycles are logged so', async t => {
  const stream = new PassThrough()
  const lamp = {
    kind: 'collectionType',
    info: { singularName: 'lamp', pluralName: 'lamps', displayName: 'Lamp' },
    attributes: { name: { type: 'string' }, checked: { type: 'checked' }, prepared: { type: 'prepared' } },
  }
  const plugins = { shade: { plugin: shade } }
  const { app } = await start(t, { plugins, contentTypes: [lamp], logger: { level: 'error', stream } })
  const created = (data: object) => ({ method: 'POST', url: '/api/lamps', payload: { data } }) as const
  const found = (query: string) => ({ method: 'GET', url: `/api/lamps?${query}` }) as const
  const rows: readonly (readonly [string, InjectOptions])[] = [
    ['parameter shaped: shape', found('shaped=x')],
    ['parameter planned: plan', found('planned=x')],
    ['parameter refused: refuse', found('refused=x')],
    ['operator $bright: encode', found('filters[name][$bright]=x')],
    ['operator $dark: sql', found('filters[name][$dark]=x')],
    ['attribute type checked: check', created({ checked: 'x' })],
    ['attribute type prepared: prepare', created({ prepared: 'x' })],
    ['strategy candle', { ...found(''), headers: { authorization: 'Candle' } }],
    ['lifecycle beforeCreate', created({ name: 'before' })],
    ['lifecycle afterCreate', created({ name: 'after' })],
    ['attribute type checked: check', created({ name: 'inner' })],
  ]
  for (const [hook, request] of rows) {
    const answer = await app.inject(request)
    const error = { status: 500, name: 'InternalServerError', message: 'Internal Server Error' }
    t.strictSame([answer.statusCode, answer.json()], [500, { data: null, error }], hook)
    t.match(JSON.parse(String(stream.read())), {
      msg: `plugin shade: ${hook}: too dark`,
      err: { type: 'RangeError', message: 'too dark', plugin: 'shade', hook },
    })
  }
})
