// Types without attributes, and those of whose attributes none can be written: their mutations take no data.

import { definePlugin } from '@plinth/kernel'
import rest from '@plinth/rest'
import t from 'tap'
import graphql, { type ExtensionService } from '../src/index.ts'
import { serve } from './fixtures/served.ts'
import { servingChanges } from './fixtures/serving-changes.ts'

const info = (singularName: string, pluralName: string) => ({ singularName, pluralName, displayName: singularName })

const contentTypes = [
  { kind: 'collectionType', collectionName: 'stamps', info: info('stamp', 'stamps'), attributes: {} },
  { kind: 'singleType', collectionName: 'marks', info: info('mark', 'marks'), attributes: {} },
  {
    kind: 'collectionType',
    collectionName: 'letters',
    info: info('letter', 'letters'),
    attributes: {
      text: { type: 'string' },
      stamps: { type: 'relation', relation: 'oneToMany', target: 'api::stamp.stamp' },
    },
  },
] as never

t.test('types without attributes', async t => {
  // With subscriptions.
  const { plugin } = servingChanges()
  const { ask } = await serve(t, { contentTypes, plugins: { graphql: { plugin: graphql }, changes: { plugin } } })
  const created = await ask(
    'mutation { createStamp { data { id attributes { createdAt } } } updateMark { data { id } } }',
  )
  t.match(created.body, {
    data: {
      createStamp: { data: { id: '1', attributes: { createdAt: /^\d{4}-/ } } },
      updateMark: { data: { id: '1' } },
    },
  })
  const updated = await ask(
    'mutation { updateStamp(id: 1) { data { id } } createLetter(data: { stamps: [1] }) { data { id } } }',
  )
  t.same(updated.body, { data: { updateStamp: { data: { id: '1' } }, createLetter: { data: { id: '1' } } } })
  const read = await ask(
    '{ letters { data { attributes { stamps { data { id } } } } } mark { data { id } } stamp(id: 1) { data { id } } }',
  )
  t.same(read.body, {
    data: {
      letters: { data: [{ attributes: { stamps: { data: [{ id: '1' }] } } }] },
      mark: { data: { id: '1' } },
      stamp: { data: { id: '1' } },
    },
  })
  const refused = await ask('mutation { createStamp(data: {}) { data { id } } }')
  t.match(refused, { status: 400, body: { errors: [{ message: /Unknown argument "data"/ }] } })
  const removed = await ask('mutation { deleteStamp(id: 1) { data { id } } deleteMark { data { id } } }')
  t.same(removed.body, { data: { deleteStamp: { data: { id: '1' } }, deleteMark: { data: { id: '1' } } } })
})

t.test('a type whose inputs are all switched off', async t => {
  const plugin = definePlugin({
    name: 'own',
    after: ['graphql'],
    register({ kernel }) {
      const letters = (kernel.services.find('graphql', 'extension') as ExtensionService).shadowCRUD(
        'api::letter.letter',
      )
      letters.field('text').disableInput()
      letters.field('stamps').disableInput()
    },
  })
  const plugins = { rest: { plugin: rest }, graphql: { plugin: graphql }, own: { plugin } }
  const { ask } = await serve(t, { contentTypes, plugins })
  const created = await ask('mutation { createLetter { data { id attributes { text } } } }')
  t.same(created.body, { data: { createLetter: { data: { id: '1', attributes: { text: null } } } } })
})
