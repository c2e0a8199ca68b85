// The whole plugin over HTTP: members register, and read and edit their own comments.

import t from 'tap'
import { start } from '../fixtures/accounts.ts'

const comment = {
  kind: 'collectionType',
  collectionName: 'comments',
  info: { singularName: 'comment', pluralName: 'comments', displayName: 'Comment' },
  attributes: {
    text: { type: 'string' },
    note: { type: 'string' },
    author: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  },
}
const mine = { author: { id: '$user.id' } }
const action = (name: string) => `api::comment.comment.${name}`

t.test('members edit their own comments', async t => {
  const { send, kernel } = await start(t, {
    contentTypes: [comment],
    config: {
      permissions: { public: [action('find')], authenticated: [action('*')] },
      rules: {
        public: [{ action: action('find'), fields: ['note', 'author'] }],
        authenticated: ['create', 'update', 'delete'].map(name => ({ action: action(name), where: mine })),
      },
    },
    // Members may not find users, so they cannot link themselves.
    configure: kernel =>
      kernel.hooks.on('preWrite', { for: type => type.uid === 'api::comment.comment', actions: ['create'] }, write => {
        write.data.author ??= (write.context.access.user as { id: number } | null)?.id
      }),
  })
  const register = async (name: string) => {
    const body = { username: name, email: `${name}@example.com`, password: 'a-long-password' }
    return (await send('POST', 'auth/local/register', { body })).body.jwt as string
  }
  const [ann, bob] = [await register('ann'), await register('bob')]
  const body = { data: { text: 'hello', note: 'private' } }
  t.match(await send('POST', 'comments', { body }), { status: 403 }, 'nobody')
  t.match(await send('POST', 'comments', { body, token: ann }), { status: 200, body: { data: { id: 1 } } })
  const edit = (token: string) => send('PUT', 'comments/1', { body: { data: { text: 'changed' } }, token })
  t.match(await edit(bob), { status: 404, body: { error: { name: 'NotFoundError' } } })
  t.match(await send('DELETE', 'comments/1', { token: bob }), { status: 404 })
  t.match(await edit(ann), { status: 200, body: { data: { attributes: { text: 'changed' } } } })
  t.match(await send('GET', 'comments', { token: bob }), {
    status: 200,
    body: { data: [{ attributes: { note: 'private' } }] },
  })
  const { body: shown } = await send('GET', 'comments?populate=*')
  t.same(Object.keys(shown.data[0].attributes), ['text', 'createdAt', 'updatedAt'], 'a field rule')
  t.match(await send('GET', 'comments?filters[note]=private'), {
    status: 400,
    body: { error: { message: 'Invalid parameter note' } },
  })
  t.match(await send('GET', 'comments?filters[author][id]=1'), {
    status: 400,
    body: { error: { message: 'Invalid parameter author' } },
  })
  const { id } = (await kernel.query('plugin::users-permissions.user').findMany({ filters: { username: 'bob' } }))[0]!
  await kernel.query('api::comment.comment').update(1, { data: { author: id } })
  t.match(await edit(ann), { status: 404 }, 'the rule is asked each time')
  t.match(await edit(bob), { status: 200 })
})
