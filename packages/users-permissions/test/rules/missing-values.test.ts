// A value that the caller does not have fulfils nothing, whatever the operator, negated or not (trap T4).

import t from 'tap'
import { action, start } from '../fixtures/newsroom.ts'

const wheres: Readonly<Record<string, object>> = {
  eq: { pages: '$user.level' },
  ne: { pages: { $ne: '$user.level' } },
  'ne of a text': { title: { $ne: '$user.username' } },
  'ne of an id': { owner: { id: { $ne: '$user.id' } } },
  lt: { pages: { $lt: '$user.level' } },
  lte: { pages: { $lte: '$user.level' } },
  gt: { pages: { $gt: '$user.level' } },
  gte: { pages: { $gte: '$user.level' } },
  in: { id: { $in: '$user.teams.id' } },
  notIn: { id: { $notIn: '$user.teams.id' } },
  'notIn with a constant': { id: { $notIn: ['$user.id', 99] } },
  between: { pages: { $between: [0, '$user.level'] } },
  contains: { title: { $contains: '$user.username' } },
  notContains: { title: { $notContains: '$user.username' } },
  notContainsi: { title: { $notContainsi: '$user.username' } },
  nei: { title: { $nei: '$user.username' } },
  not: { $not: { pages: '$user.level' } },
  'not ne': { $not: { pages: { $ne: '$user.level' } } },
  'not in': { $not: { id: { $in: '$user.teams.id' } } },
  'not notIn': { $not: { id: { $notIn: '$user.teams.id' } } },
  'not through a relation': { $not: { owner: { id: '$user.id' } } },
  'not a link of a path': { $not: { writer: { team: '$user.team.id' } } },
}

t.test('no entry is found', async t => {
  const roles = Object.keys(wheres)
  const find = action('article', 'find')
  const rules = roles.map(name => [name, [{ action: find, where: wheres[name] }]])
  const { of, as } = await start(t, {
    permissions: Object.fromEntries(roles.map(name => [name, [find, action('article', 'findOne')]])),
    rules: Object.fromEntries(rules),
  })
  const user = await of('plugin::users-permissions.user').create({ data: { username: 'ann', level: 1 } })
  const team = await of('team').create({ data: { name: 'null' } })
  const writer = await of('writer').create({ data: { name: 'null', team: team.id } })
  for (const title of ['null', 'undefined', ''])
    await of('article').create({ data: { title, pages: 1, owner: user.id, writer: writer.id } })
  await of('article').create({ data: {} })
  for (const role of roles)
    for (const nobody of [null, { id: null, username: null, level: null, teams: null, team: null }]) {
      const articles = of('article', as(role, nobody as never))
      t.same(await articles.findMany(), [], role)
      t.equal(await articles.count(), 0, role)
      t.equal(await articles.findOne(1), null, role)
    }
})
