// All users of a role share its plans and statements: values of users are bound, and are never a part of a text.

import { createHmac } from 'node:crypto'
import t from 'tap'
import { type Started, start, uid } from '../fixtures/accounts.ts'

const users = 10_000
/** Each fifth user asks: as many as would make thousands of plans, if each made one. Every shape is asked in turn. */
const step = 5
const secret = 'a secret that signs the tokens of very many users'

const type = (name: string, attributes: object) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})
const relation = (kind: string, target: string, side: object) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...side,
})

const contentTypes = [
  type('task', {
    title: { type: 'string' },
    team: { type: 'integer', private: true },
    remarks: relation('oneToMany', 'remark', { mappedBy: 'task' }),
  }),
  type('remark', { text: { type: 'string' }, task: relation('manyToOne', 'task', { inversedBy: 'remarks' }) }),
]

const config = {
  jwtSecret: secret,
  permissions: { authenticated: ['api::*'] },
  rules: {
    authenticated: [
      { action: 'api::task.task.*', where: { team: '$user.id' } },
      { action: 'api::remark.remark.*', where: { task: { team: '$user.id' } } },
    ],
  },
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenOf(id: number): string {
  const iat = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ id, iat, exp: iat + 3600 })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** What each shape of a request is answered to the user `id`, who may see the task `id` and its remark alone. */
const shapes: readonly ((server: Started, id: number) => Promise<readonly [found: unknown, expected: unknown]>)[] = [
  async ({ get }, id) => {
    const { body } = await get('tasks?sort=title&pagination[pageSize]=5', tokenOf(id))
    return [
      [body.data[0]?.id, body.meta.pagination.total],
      [id, 1],
    ]
  },
  async ({ get }, id) => {
    const { body } = await get(`tasks/${id}?populate=remarks`, tokenOf(id))
    return [body.data?.attributes.remarks.data[0]?.id, id]
  },
  async ({ get }, id) => {
    const { body } = await get(`remarks?filters[task][title][$ne]=none`, tokenOf(id))
    return [body.data.map((one: { id: number }) => one.id), [id]]
  },
  async ({ put }, id) => {
    const { body } = await put(`tasks/${id}`, { data: { title: `new ${id}` } }, tokenOf(id))
    return [body.data?.attributes.title, `new ${id}`]
  },
]

t.test(`${users} users of one role make one plan for each shape`, async t => {
  const server = await start(t, { config, contentTypes })
  const { kernel } = server
  await fill(server)
  const texts = new Set<string>()
  // Not those by which the plugin reads users and looks whether roles have changed.
  kernel.hooks.on('onStatement', text => void (/\b(tasks|remarks)\b/.test(text) && texts.add(text)))
  for (const shape of shapes) {
    // The second time a list and its total may be asked in another way.
    for (const id of [1, 2, 3]) t.strictSame(...(await shape(server, id)))
  }
  const { plans } = kernel.engine
  const before = { plans: plans.size, texts: texts.size }
  const wrong: unknown[] = []
  for (let id = 4; id <= users; id += step) {
    const [found, expected] = await shapes[id % shapes.length]!(server, id)
    if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ id, found, expected })
  }
  t.strictSame(wrong, [], 'each user sees the own entries')
  t.strictSame({ plans: plans.size, texts: texts.size }, before)
  t.ok([...plans.entries()].filter(([key]) => key.startsWith('role:')).length < 10, 'of the role')
})

/** A task and a remark for each user. */
async function fill({ kernel }: Started): Promise<void> {
  const { knex } = kernel
  const ids = Array.from({ length: users }, (_, index) => index + 1)
  const insert = async (table: string, row: (id: number) => object) => {
    for (let i = 0; i < users; i += 100) await knex(table).insert(ids.slice(i, i + 100).map(row))
  }
  const [role] = await kernel.query('plugin::users-permissions.role').findMany({ filters: { type: 'authenticated' } })
  await insert(kernel.contentTypes.require(uid).table, id => ({
    id,
    username: `user ${id}`,
    email: `user${id}@example.com`,
    provider: 'local',
    confirmed: true,
    blocked: false,
  }))
  await insert('up_users_role_links', id => ({ user_id: id, role_id: role!.id }))
  await insert('tasks', id => ({ id, title: `task ${id}`, team: id }))
  await insert('remarks', id => ({ id, text: `remark ${id}` }))
  await insert('remarks_task_links', id => ({ remark_id: id, task_id: id }))
}
