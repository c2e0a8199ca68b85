// Actions of the routes of content types: who may do them, and what runs before them (B-6.11, B-6.12, B-13.47).

import { type Access, CredentialsError, definePlugin, type Kernel, type Write } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { start, type } from './fixtures/boot.ts'

const label = { label: { type: 'string' } }
const link = (target: string) => ({ type: 'relation', relation: 'oneToOne', target })
const contentTypes = [
  type('tag', { ...label, friend: link('api::friend.friend') }),
  type('friend', label),
  { ...type('about', label), kind: 'singleType' },
]

const ofTags = 'api::tag.tag'

/** Rights by the header; populated types need `find`, as a plugin for permissions would have it. */
const guard = definePlugin({
  name: 'guard',
  register({ kernel }) {
    kernel.auth.use({
      name: 'rights',
      authenticate({ headers }): Access {
        const { authorization = '' } = headers
        if (authorization === 'wrong') throw new CredentialsError()
        const rights = String(authorization).split(' ')
        const user = authorization === '' ? null : { name: 'ada' }
        return { key: String(authorization), user, can: scope => rights.includes(scope) }
      },
    })
    kernel.hooks.on('prePlan', (draft, access) => {
      if (draft.via === 'populate' && !access.can(kernel.actions.of(draft.type.uid, 'find'))) draft.drop()
    })
  },
})

async function boot(t: Test, configure: (kernel: Kernel) => void) {
  const { app, kernel, of } = await start(t, { contentTypes, configure, plugins: { guard: { plugin: guard } } })
  const friend = await of('friend').create({ data: { label: 'f' } })
  await of('tag').create({ data: { label: 'a', friend: friend.id } })
  const ask = async (url: string, authorization?: string, more: object = {}) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await app.inject({ url, headers, ...more })
    return { status: answer.statusCode, body: answer.json() }
  }
  return { ask, kernel, of }
}

t.test('`auth: false` opens one action, and a bad token is no 401 there', async t => {
  const { ask } = await boot(t, ({ actions }) => actions.set(`${ofTags}.find`, { auth: false }))
  for (const authorization of [undefined, 'wrong', 'api::friend.friend.find']) {
    const { status, body } = await ask('/api/tags?populate=friend', authorization)
    t.match({ status, data: body.data }, { status: 200, data: [{ attributes: { label: 'a' } }] })
    t.notOk('friend' in body.data[0].attributes, 'other types are closed: the caller has no rights at all (B-13.57)')
  }
  t.equal((await ask('/api/tags/1', 'wrong')).status, 401)
  t.equal((await ask('/api/tags/1')).status, 403)
  t.equal((await ask('/api/tags', 'wrong', { method: 'POST', payload: { data: {} } })).status, 401)
})

t.test('writes of an open action have no user', async t => {
  const writes: Write[] = []
  const { ask } = await boot(t, kernel => {
    kernel.actions.set(`${ofTags}.create`, { auth: false })
    kernel.hooks.on('preWrite', write => void writes.push(write))
  })
  const more = { method: 'POST', payload: { data: { label: 'b' } } }
  t.match(await ask('/api/tags', 'wrong', more), { status: 200, body: { data: { attributes: { label: 'b' } } } })
  t.match(writes.at(-1)!.context.access, { user: null, key: 'none' })
})

t.test('all actions of `scope` are needed, instead of the own one', async t => {
  const scope = [`${ofTags}.find`, 'api::friend.friend.find']
  const { ask } = await boot(t, ({ actions }) => actions.set(`${ofTags}.findOne`, { auth: { scope } }))
  t.equal((await ask('/api/tags/1', `${ofTags}.findOne`)).status, 403)
  t.equal((await ask('/api/tags/1', scope[0])).status, 403)
  t.equal((await ask('/api/tags/1', scope.join(' '))).status, 200)
})

t.test('policies run before the action', async t => {
  const { ask, of } = await boot(t, ({ actions }) => {
    const isRight: Parameters<typeof actions.set>[1] = {
      policies: [({ request }) => request.header['x-key'] === 'right'],
    }
    actions.set(`${ofTags}.create`, isRight)
    actions.set('api::about.about.update', isRight)
  })
  const more = (word: string) => ({ payload: { data: { label: 'b' } }, headers: { 'x-key': word } })
  const forbidden = {
    status: 403,
    body: { data: null, error: { name: 'ForbiddenError', message: 'Forbidden', details: {} } },
  }
  const post = (word: string, authorization: string) => {
    const { payload, headers } = more(word)
    return ask('/api/tags', undefined, { method: 'POST', payload, headers: { ...headers, authorization } })
  }
  t.match(await post('wrong', `${ofTags}.create`), forbidden)
  t.equal(await of('tag').count(), 1)
  t.match(await post('right', `${ofTags}.find`), forbidden, 'the right is checked first')
  t.equal((await post('right', `${ofTags}.create`)).status, 200)
  const put = (word: string) => {
    const headers = { 'x-key': word, authorization: 'api::about.about.update' }
    return ask('/api/about', undefined, { method: 'PUT', payload: { data: { label: 'b' } }, headers })
  }
  t.match(await put('wrong'), forbidden)
  t.equal((await put('right')).status, 200)
})

t.test('a policy may replace what is written', async t => {
  const { ask } = await boot(t, ({ actions }) =>
    actions.set(`${ofTags}.create`, {
      policies: [({ request }) => void Object.assign((request.body as { data: object }).data, { label: 'mine' })],
    }),
  )
  const more = { method: 'POST', payload: { data: { label: 'b' } } }
  t.match(await ask('/api/tags', `${ofTags}.create`, more), { body: { data: { attributes: { label: 'mine' } } } })
})

t.test('types with their own routes have none here, but are populated', async t => {
  const owner = definePlugin({
    name: 'owner',
    register({ kernel, app }) {
      kernel.contentTypes.add(type('pet', label), { uid: 'plugin::owner.pet', routes: 'own' })
      app?.get('/api/pets', { config: { action: 'plugin::owner.pet.find' } }, () => 'own')
    },
  })
  const { app, kernel } = await start(t, {
    contentTypes: [type('home', { pet: link('plugin::owner.pet') })],
    plugins: { owner: { plugin: owner } },
  })
  t.equal((await app.inject('/api/pets')).body, 'own')
  t.equal((await app.inject('/api/pets/1')).statusCode, 404)
  const pet = await kernel.query('plugin::owner.pet').create({ data: { label: 'cat' } })
  await kernel.query('api::home.home').create({ data: { pet: pet.id } })
  t.match((await app.inject('/api/homes?populate=pet&filters[pet][label]=cat')).json(), {
    data: [{ attributes: { pet: { data: { attributes: { label: 'cat' } } } } }],
  })
})
