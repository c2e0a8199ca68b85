/** The service `rest.routes`: a plugin says which routes a type has. */

import type { Kernel } from '@plinth/kernel'
import { definePlugin } from '@plinth/kernel'
import t, { type Test } from 'tap'
import type { EntryRoute } from '../src/index.ts'
import { start, type } from './fixtures/boot.ts'

const contentTypes = [
  type('tag', { label: { type: 'string' } }),
  type('note', { label: { type: 'string' } }),
  { ...type('about', { label: { type: 'string' } }), kind: 'singleType' },
]

function boot(t: Test, routes: Readonly<Record<string, readonly EntryRoute[]>>) {
  const plugin = definePlugin({
    name: 'routers',
    register: ({ kernel }: { readonly kernel: Kernel }) =>
      kernel.services.provide('rest', 'routes', ({ singularName }) => routes[singularName] ?? null),
  })
  return start(t, { contentTypes, plugins: { routers: { plugin } } })
}

t.test('other paths and methods, and fewer routes', async t => {
  const { app } = await boot(t, {
    tag: [
      { operation: 'find', method: 'GET', path: '/shop/tags' },
      { operation: 'create', method: 'POST', path: '/shop/tags' },
      { operation: 'update', method: 'PATCH', path: '/shop/tags/:id(^[0-9]+$)' },
    ],
    about: [{ operation: 'find', method: 'GET', path: '/info' }],
  })
  const send = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, label?: string) =>
    app.inject({ method, url, ...(label !== undefined && { payload: { data: { label } } }) })
  t.equal((await send('POST', '/api/shop/tags', 'a')).statusCode, 200)
  t.equal((await send('PATCH', '/api/shop/tags/1', 'b')).json().data.attributes.label, 'b')
  t.equal((await send('GET', '/api/shop/tags')).json().data.length, 1)
  t.equal((await send('GET', '/api/shop/tags/1')).statusCode, 404, 'a read is not found')
  const wrong = await send('DELETE', '/api/shop/tags/1')
  t.same([wrong.statusCode, wrong.headers.allow], [405, 'PATCH'], 'another method is not allowed')
  t.equal((await send('PATCH', '/api/shop/tags/x', 'b')).statusCode, 405, 'the pattern of the path')
  t.equal((await send('GET', '/api/tags')).statusCode, 404)
  t.equal((await send('PUT', '/api/about', 'a')).statusCode, 405)
  t.equal((await send('POST', '/api/notes', 'a')).statusCode, 200, 'a type that it leaves alone')
})

t.test('an action without the id that it needs, and one that the type does not have', async t => {
  await t.rejects(boot(t, { tag: [{ operation: 'findOne', method: 'GET', path: '/tag' }] }), {
    message: 'rest.routes: api::tag.tag.findOne: the path /tag has no :id',
  })
  await t.rejects(boot(t, { about: [{ operation: 'create', method: 'POST', path: '/about' }] }), {
    message: 'rest.routes: api::about.about.create: the type has no such action',
  })
})
